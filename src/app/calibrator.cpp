#include "app/calibrator.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/calibration_run.hpp"
#include "app/note.hpp"
#include "fmbym/calibration/line_fit.hpp"
#include "fmbym/core/error.hpp"

namespace fmbym::app {
namespace {

namespace fs = std::filesystem;
using Sequences = std::vector<CalibrationSequence>;

constexpr double kRangeOffsetStep = 0.6;          // tried on either side of the one used [m]
constexpr double kLargestRangeOffsetError = 0.3;  // standard error that still says something [m]

// Odometry with one range offset.
struct Trial {
  MotionFit motion;
  std::optional<Estimate> far_over_near;  // distances from images of the whole square and of its middle
  std::size_t scans = 0;
};

struct Interrupted {};

Sequences open_sequences(const CalibrationOptions& options, const CalibrationOverride& sensor) {
  Sequences sequences;
  for (const fs::path& folder : options.sequences) {
    auto dataset = open_dataset(folder, sensor);
    auto indices = options.scans.indices(*dataset, folder);
    sequences.push_back({folder, std::move(dataset), std::move(indices)});
  }
  return sequences;
}

// Where some have ground truth, the others can't add to it.
bool keep_those_with_truth(Sequences& sequences) {
  const auto has_none = [](const CalibrationSequence& s) { return !s.has_truth(); };
  if (std::all_of(sequences.begin(), sequences.end(), has_none)) return false;
  std::erase_if(sequences, has_none);
  return true;
}

void require_one_sensor(const Sequences& sequences) {
  const CalibrationSequence& first = sequences.front();
  const int bins = first.dataset->calibration().range_bins;
  for (std::size_t i = 1; i < sequences.size(); ++i) {
    const CalibrationSequence& other = sequences[i];
    if (const int found = other.dataset->calibration().range_bins; found != bins)
      throw Error(fmt::format("{}: expected {} range bins as in {}, found {}; calibrate one sensor at a time",
                              other.folder.string(), bins, first.folder.string(), found));
    for (std::size_t j = 0; j < i; ++j)
      if (fs::equivalent(other.folder, sequences[j].folder))
        throw Error(fmt::format("{}: given twice; give each sequence once", other.folder.string()));
  }
}

void require_motion(const MotionFit& fit, const Sequences& sequences) {
  if (fit.azimuth_offset) return;
  const StretchRules rules;
  std::vector<std::string> names;
  for (const CalibrationSequence& s : sequences) names.push_back(s.folder.string());
  throw Error(fmt::format(
      "{}: expected at least {} straight stretches of {} scans and {} m or more, found {}; give a "
      "longer drive along straight roads",
      fmt::join(names, ", "), rules.fewest, rules.steps + 1, rules.min_distance, fit.stretches));
}

// The middle of the image, half as wide.
OdometryConfig near_only(OdometryConfig config) {
  config.imaging.size = config.imaging.size / 2 | 1;
  return config;
}

class Calibrator {
 public:
  Calibrator(const CalibrationOptions& options, const OdometryConfig& config)
      : options_(options), config_(config) {}

  Calibration calibrate() {
    Sequences sequences = open_sequences(options_, options_.sensor);
    require_one_sensor(sequences);
    say_what_is_unusual(sequences);
    Calibration result;
    result.truth = keep_those_with_truth(sequences);
    for (const CalibrationSequence& s : sequences) result.sequences.push_back(s.folder);
    const SensorCalibration used = sequences.front().dataset->calibration();
    result.range_bins = used.range_bins;

    const Trial trial = run_trial(sequences, result.truth);
    result.scans = trial.scans;
    result.stretches = trial.motion.stretches;
    result.distance = trial.motion.distance;
    result.range_offset.used = used.range_offset;
    set_motion(result, used, trial.motion.scale, *trial.motion.azimuth_offset);
    if (const auto reason = no_range_offset(); !reason.empty())
      result.no_range_offset = reason;
    else
      find_range_offset(result, used, trial);
    return result;
  }

 private:
  void say_what_is_unusual(const Sequences& sequences) const {
    const bool some =
        std::any_of(sequences.begin(), sequences.end(), [](const auto& s) { return s.has_truth(); });
    for (const CalibrationSequence& s : sequences) {
      for (const std::string& remark : s.dataset->remarks())
        note("note: {}: {}\n", s.folder.string(), remark);
      if (some && !s.has_truth()) note("note: {}: left out, for it has no ground truth\n", s.folder.string());
    }
  }

  // Scans bent by the motion make near things and far ones disagree by themselves.
  std::string no_range_offset() const {
    if (options_.keep_range_offset) return "as asked";
    if (config_.preset == Preset::paper || !config_.compensate)
      return "it needs the motion taken out of the scans, as the default preset does";
    return "";
  }

  std::vector<SequenceRun> run(const Sequences& sequences, const OdometryConfig& config, const char* what) {
    note("run {} of {}: {}\n", ++runs_, no_range_offset().empty() ? 6 : 1, what);
    auto runs = run_all(sequences, config, {.skip_bad = options_.skip_bad});
    if (runs.back().interrupted) throw Interrupted{};
    if (runs_ == 1)
      for (const SequenceRun& r : runs)
        for (const std::string& reason : r.skipped) note("skipped: {}\n", reason);
    return runs;
  }

  Trial run_trial(const Sequences& sequences, bool truth) {
    const double offset = sequences.front().dataset->calibration().range_offset;
    const auto runs = run(sequences, config_, fmt::format("range offset {:.2f} m", offset).c_str());
    Trial trial;
    trial.motion =
        truth ? fit_to_truth(paths_with_truth(runs, sequences)) : fit_to_straight_driving(paths_alone(runs));
    require_motion(trial.motion, sequences);
    for (const SequenceRun& r : runs) trial.scans += r.scans.size();
    if (!no_range_offset().empty()) return trial;
    const auto near = run(sequences, near_only(config_), "the same, nearer half of the image");
    trial.far_over_near = fit_to_truth(paths_with_reference(near, runs)).scale;
    return trial;
  }

  Trial run_trial_at(double range_offset, bool truth) {
    CalibrationOverride sensor = options_.sensor;
    sensor.range_offset = range_offset;
    Sequences sequences = open_sequences(options_, sensor);
    if (truth) keep_those_with_truth(sequences);
    return run_trial(sequences, truth);
  }

  static void set_motion(Calibration& result, const SensorCalibration& used,
                         const std::optional<Estimate>& scale, const Estimate& azimuth) {
    result.azimuth_offset = {used.azimuth_offset, Estimate{wrap_angle(used.azimuth_offset + azimuth.value),
                                                           azimuth.standard_error}};
    result.range_resolution.used = used.range_resolution;
    if (scale)
      result.range_resolution.found =
          Estimate{used.range_resolution * scale->value, used.range_resolution * scale->standard_error};
  }

  // A range too short by an offset makes near things pass by too slowly, in proportion, and hardly matters
  // for far ones: with the right one both give the same distance. The scale changes with it.
  void find_range_offset(Calibration& result, const SensorCalibration& used, const Trial& middle) {
    const double at = used.range_offset;
    const Trial below = run_trial_at(at - kRangeOffsetStep, result.truth);
    const Trial above = run_trial_at(at + kRangeOffsetStep, result.truth);
    const auto along = [&](const auto& part) {
      return std::vector<Measured>{
          {at - kRangeOffsetStep, part(below)}, {at, part(middle)}, {at + kRangeOffsetStep, part(above)}};
    };
    if (!below.far_over_near || !middle.far_over_near || !above.far_over_near) {
      result.no_range_offset = "too few reliable matches in the nearer half of the image";
      return;
    }
    const auto offset = setting_where(along([](const Trial& t) { return *t.far_over_near; }), 1);
    if (!offset || offset->standard_error > kLargestRangeOffsetError) {
      result.no_range_offset = offset ? fmt::format("its standard error is {:.2f} m", offset->standard_error)
                                      : fmt::format(
                                            "near and far agree nowhere from {:.2f} to {:.2f} m; start from "
                                            "another --range-offset",
                                            at - kRangeOffsetStep, at + kRangeOffsetStep);
      return;
    }
    result.range_offset.found = offset;
    const auto there = [&](const std::vector<Measured>& line) {
      const Estimate value = line_at(line, offset->value);
      const double change = line_at(line, offset->value + offset->standard_error).value - value.value;
      return Estimate{value.value, std::hypot(value.standard_error, change)};
    };
    std::optional<Estimate> scale;
    if (middle.motion.scale) scale = there(along([](const Trial& t) { return *t.motion.scale; }));
    set_motion(result, used, scale, there(along([](const Trial& t) { return *t.motion.azimuth_offset; })));
  }

  const CalibrationOptions& options_;
  const OdometryConfig& config_;
  int runs_ = 0;
};

}  // namespace

std::optional<Calibration> calibrate(const CalibrationOptions& options, const OdometryConfig& config) {
  try {
    return Calibrator(options, config).calibrate();
  } catch (const Interrupted&) {
    return std::nullopt;
  }
}

}  // namespace fmbym::app
