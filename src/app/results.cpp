#include "app/results.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "app/model_summary.hpp"
#include "app/version.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"
#include "fmbym/odometry/settings.hpp"

namespace fmbym::app {
namespace {

template <class Value>
double median_over(const SequenceRun& run, const Value& value) {
  std::vector<double> values;
  // The first scan has nothing to be matched with.
  for (std::size_t i = 1; i < run.scans.size(); ++i) values.push_back(value(run.scans[i]));
  if (values.empty()) return 0;
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Json timing_json(const SequenceRun& run) {
  const auto decode = [](const ScanRecord& s) { return s.decode_ms; };
  const auto image = [](const ScanRecord& s) { return s.registration.image_ms; };
  const auto mask = [](const ScanRecord& s) { return s.registration.mask_ms; };
  const auto match = [](const ScanRecord& s) { return s.registration.match_ms; };
  const auto total = [&](const ScanRecord& s) { return decode(s) + image(s) + mask(s) + match(s); };
  return {{"decode", median_over(run, decode)},
          {"image", median_over(run, image)},
          {"mask", median_over(run, mask)},
          {"match", median_over(run, match)},
          {"total", median_over(run, total)}};
}

// Columns as in the Oxford ground truth, so that it can be read as such, and then what is known about each
// increment.
std::string increments_csv(const SequenceRun& run) {
  std::string csv =
      "source_timestamp,destination_timestamp,x,y,z,roll,pitch,yaw,source_radar_timestamp,destination_radar_"
      "timestamp,"
      "cov_xx,cov_xy,cov_xyaw,cov_yy,cov_yyaw,cov_yawyaw,yaw_peak_ratio,translation_peak_ratio,correlation,"
      "reliable,bridged,"
      "decode_ms,image_ms,mask_ms,match_ms\n";
  for (std::size_t i = 1; i < run.scans.size(); ++i) {
    const Registration& r = run.scans[i].registration;
    const auto before = run.scans[i - 1].registration.timestamp_us;
    const Covariance3& c = r.match.covariance;
    fmt::format_to(std::back_inserter(csv), "{0},{1},{2:.6f},{3:.6f},0,0,0,{4:.8f},{0},{1},", r.timestamp_us,
                   before, r.T_prev_curr.x, r.T_prev_curr.y, r.T_prev_curr.yaw);
    fmt::format_to(std::back_inserter(csv), "{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},", c[0][0], c[0][1],
                   c[0][2], c[1][1], c[1][2], c[2][2]);
    fmt::format_to(std::back_inserter(csv), "{:.4f},{:.4f},{:.4f},{:d},{:d},{:.3f},{:.3f},{:.3f},{:.3f}\n",
                   r.match.yaw_peak_ratio, r.match.translation_peak_ratio, r.match.correlation,
                   r.match.reliable, r.bridged, run.scans[i].decode_ms, r.image_ms, r.mask_ms, r.match_ms);
  }
  return csv;
}

Json value_of(const Setting& setting) {
  return std::visit(
      [](const auto* value) -> Json {
        if constexpr (requires { to_string(*value); })
          return to_string(*value);
        else
          return *value;
      },
      setting.value);
}

Json model_json(const Setup& setup) {
  if (!setup.model) return nullptr;
  Json model = {
      {"file", setup.model->file}, {"sha256", setup.model->sha256}, {"precision", precision_json(setup)}};
  model.update(training_json(setup.config.model->info));
  model["any_resolution"] = setup.config.any_resolution;
  return model;
}

}  // namespace

Score score(const Trajectory& truth, const Trajectory& estimate, const KittiOptions& options) {
  return {kitti_score(truth, estimate, options), absolute_trajectory_error(truth, estimate)};
}

Json kitti_json(const std::optional<KittiScore>& kitti) {
  if (!kitti) return nullptr;
  Json by_length = Json::object();
  for (const auto& [length, error] : kitti->by_length)
    by_length[std::to_string(length)] = {error.translation_percent, error.rotation_deg_per_km};
  return {{"translation_percent", kitti->mean.translation_percent},
          {"rotation_deg_per_km", kitti->mean.rotation_deg_per_km},
          {"segments", kitti->mean.segments},
          {"by_length", by_length}};
}

std::string kitti_text(const std::optional<KittiScore>& kitti) {
  if (!kitti) return "none: the path is shorter than 100 m";
  return fmt::format("{:.3f} % and {:.3f} °/km over {} segments", kitti->mean.translation_percent,
                     kitti->mean.rotation_deg_per_km, kitti->mean.segments);
}

Trajectory trajectory_of(const SequenceRun& run) {
  Trajectory trajectory;
  for (const ScanRecord& scan : run.scans) {
    trajectory.time_ns.push_back(scan.registration.timestamp_us * 1000);
    trajectory.T_world.push_back(to_spatial(scan.registration.T_world_curr));
  }
  return trajectory;
}

std::optional<Score> score(const SequenceRun& run, const Dataset& dataset) {
  const auto& truth_of = dataset.ground_truth();
  Trajectory truth, estimate;
  for (const ScanRecord& scan : run.scans) {
    if (truth_of.empty() || !truth_of[scan.index]) continue;
    truth.T_world.push_back(to_spatial(*truth_of[scan.index]));
    estimate.T_world.push_back(to_spatial(scan.registration.T_world_curr));
  }
  if (truth.size() < 2) return std::nullopt;
  return score(truth, estimate);
}

Json precision_json(const Setup& setup) {
  return to_string(setup.config.model ? setup.config.model->precision : Precision::fp32);
}

Json sha256_json(const Setup& setup) {
  return setup.model ? Json(setup.model->sha256) : Json(nullptr);
}

Json config_json(const Setup& setup, const Dataset& dataset) {
  const OdometryConfig& config = setup.config;
  Json json = {
      {"version", kVersion},
      {"method", to_string(config.method)},
      {"preset", to_string(config.preset)},
      {"threads", config.threads},
      {"model_sha256", sha256_json(setup)},
      {"model", model_json(setup)},
      {"sensor",
       {{"format", dataset.format()},
        {"range_resolution_m", dataset.calibration().range_resolution},
        {"range_offset_m", dataset.calibration().range_offset},
        {"azimuth_offset_rad", dataset.calibration().azimuth_offset}}},
      {"imaging", {{"size", config.imaging.size}, {"metres_per_pixel", config.imaging.metres_per_pixel}}}};
  OdometryConfig resolved = config;
  for (const Setting& setting : settings_of(resolved)) {
    const std::size_t dot = setting.name.find('.');
    if (dot == std::string::npos)
      json[setting.name] = value_of(setting);
    else
      json[setting.name.substr(0, dot)][setting.name.substr(dot + 1)] = value_of(setting);
  }
  return json;
}

Json summary_json(const SequenceRun& run, const Setup& setup, const std::optional<Score>& score,
                  std::size_t gaps) {
  const OdometryConfig& config = setup.config;
  const auto count_if = [&](const auto& condition) {
    return std::count_if(run.scans.begin(), run.scans.end(), condition);
  };
  int filled_rows = 0;
  for (const ScanRecord& scan : run.scans) filled_rows += scan.filled_rows;
  return {{"method", to_string(config.method)},
          {"resolution", config.imaging.size},
          {"precision", precision_json(setup)},
          {"preset", to_string(config.preset)},
          {"scans", run.scans.size()},
          {"distance_m", path_length(trajectory_of(run))},
          {"kitti", score ? kitti_json(score->kitti) : Json(nullptr)},
          {"ate_m", score ? Json(score->ate_m) : Json(nullptr)},
          {"timing_ms", timing_json(run)},
          {"hz", run.seconds > 0 ? static_cast<double>(run.scans.size()) / run.seconds : 0},
          {"threads", config.threads},
          {"peak_rss_mb", peak_rss_mb()},
          {"model_sha256", sha256_json(setup)},
          {"version", kVersion},
          {"unreliable", count_if([](const ScanRecord& s) { return !s.registration.match.reliable; })},
          {"bridged", count_if([](const ScanRecord& s) { return s.registration.bridged; })},
          {"recovered", count_if([](const ScanRecord& s) { return s.registration.recovered; })},
          {"skipped", run.skipped.size()},
          {"gaps", gaps},
          {"filled_rows", filled_rows},
          {"interrupted", run.interrupted}};
}

std::filesystem::path make_output_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || ::access(folder.c_str(), W_OK) != 0)
    throw Error(fmt::format("{}: cannot write there{}; choose another --output folder", folder.string(),
                            error ? ": " + error.message() : ""));
  return folder;
}

void write_results(const std::filesystem::path& folder, const SequenceRun& run, const Json& config,
                   const Json& summary) {
  const Trajectory trajectory = trajectory_of(run);
  write_trajectory(folder / "trajectory_tum.txt", trajectory, TrajectoryFormat::tum);
  write_trajectory(folder / "trajectory_kitti.txt", trajectory, TrajectoryFormat::kitti);
  write_file(folder / "increments.csv", increments_csv(run));
  write_file(folder / "config.json", config.dump(2) + "\n");
  write_file(folder / "summary.json", summary.dump(2) + "\n");
}

double peak_rss_mb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace fmbym::app
