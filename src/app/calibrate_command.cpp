// fmbym calibrate SEQUENCE…: a sensor's range resolution, range offset and azimuth offset.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "app/calibrator.hpp"
#include "app/command.hpp"
#include "app/note.hpp"
#include "app/options.hpp"
#include "app/results.hpp"
#include "app/version.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/datasets/sensor_file.hpp"

namespace fmbym::app {
namespace {

namespace fs = std::filesystem;

struct CalibrateOptions {
  CalibrationOptions calibration;
  MethodOptions method;
  fs::path output = fs::path("out") / "sensor.json";
  bool json = false;
};

// Fails before the work is done rather than after.
void prepare_output(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || ::access(folder.c_str(), W_OK) != 0 || fs::is_directory(file))
    throw Error(fmt::format("{}: cannot write there{}; choose another --output file", file.string(),
                            error ? ": " + error.message() : ""));
}

std::string row(const char* name, const Finding& finding, const char* unit, int digits) {
  const std::string found = finding.found ? fmt::format("{:.{}f} ± {:.{}f} {}", finding.found->value, digits,
                                                        finding.found->standard_error, digits, unit)
                                          : "not determined";
  return fmt::format("  {:18}{:28}{:.{}f} {}\n", name, found, finding.used, digits, unit);
}

// The options that give what was found, and what was given and stays.
std::string options_text(const Calibration& c, const CalibrationOverride& given) {
  std::string line;
  const auto add = [&](const char* option, const Finding& finding, bool was_given, int digits) {
    if (finding.found || was_given) line += fmt::format(" {} {:.{}f}", option, finding.value(), digits);
  };
  add("--range-resolution", c.range_resolution, given.range_resolution.has_value(), 5);
  add("--range-offset", c.range_offset, given.range_offset.has_value(), 2);
  add("--azimuth-offset", c.azimuth_offset, given.azimuth_offset.has_value(), 4);
  return line;
}

void print_calibration(const Calibration& c, const CalibrateOptions& options) {
  fmt::print("{} scans; {} straight stretches, {:.0f} m, {}\n", c.scans, c.stretches, c.distance,
             c.truth ? "against the ground truth" : "without ground truth");
  fmt::print("  {:18}{:28}{}\n", "", "found", "used");
  fmt::print("{}", row("range resolution", c.range_resolution, "m a bin", 5));
  fmt::print("{}", row("range offset", c.range_offset, "m", 2));
  fmt::print("{}", row("azimuth offset", c.azimuth_offset, "rad", 4));
  if (!c.truth)
    fmt::print(
        "range resolution: not determined without ground truth\n"
        "azimuth offset: turns the sensor's zero to the direction of straight driving\n");
  if (!c.range_offset.found) fmt::print("range offset: not determined: {}\n", c.no_range_offset);
  fmt::print("Use:{}\nwritten to {}, for --sensor\n", options_text(c, options.calibration.sensor),
             options.output.string());
}

Json finding_json(const Finding& finding) {
  return {{"value", finding.value()},
          {"standard_error", finding.found ? Json(finding.found->standard_error) : Json(nullptr)},
          {"used", finding.used}};
}

Json calibration_json(const Calibration& c, const CalibrateOptions& options, const OdometryConfig& config) {
  return {{"method", to_string(config.method)},
          {"preset", to_string(config.preset)},
          {"resolution", config.imaging.size},
          {"sequences", c.sequences},
          {"scans", c.scans},
          {"ground_truth", c.truth},
          {"stretches", c.stretches},
          {"distance_m", c.distance},
          {"range_bins", c.range_bins},
          {"range_resolution_m", finding_json(c.range_resolution)},
          {"range_offset_m", finding_json(c.range_offset)},
          {"azimuth_offset_rad", finding_json(c.azimuth_offset)},
          {"output", options.output}};
}

SensorFile sensor_file(const Calibration& c) {
  const auto value = [](const Finding& finding) {
    SensorFile::Value entry{finding.value(), {}};
    if (finding.found) entry.standard_error = finding.found->standard_error;
    return entry;
  };
  SensorFile file;
  file.range_resolution = value(c.range_resolution);
  file.range_offset = value(c.range_offset);
  file.azimuth_offset = value(c.azimuth_offset);
  file.range_bins = c.range_bins;
  for (const fs::path& folder : c.sequences) file.sequences.push_back(folder.string());
  file.made_by = fmt::format("fmbym {} calibrate", kVersion);
  return file;
}

int run_calibrate(const CalibrateOptions& options) {
  const OdometryConfig config = options.method.config();
  prepare_output(options.output);
  const auto result = calibrate(options.calibration, config);
  if (!result) {
    note("interrupted before the end; nothing was written\n");
    return kInterrupted;
  }
  write_sensor_file(options.output, sensor_file(*result));
  if (options.json)
    fmt::print("{}\n", calibration_json(*result, options, config).dump(2));
  else
    print_calibration(*result, options);
  return kDone;
}

}  // namespace

void add_calibrate_command(CLI::App& program, Run& run) {
  auto options = std::make_shared<CalibrateOptions>();
  CLI::App* command = program.add_subcommand(
      "calibrate", "Find a sensor's range resolution, range offset and azimuth offset by driving");
  command
      ->add_option(
          "sequences", options->calibration.sequences,
          "Folders of sequences (Oxford layout) of one sensor. Without ground truth there is no range "
          "resolution, and the azimuth offset comes from straight driving")
      ->required()
      ->type_name("SEQUENCE");
  add_method_options(*command, options->method);
  add_sensor_options(*command, options->calibration.sensor);
  add_scan_options(*command, options->calibration.scans);
  command->add_option("--output", options->output, "Sensor file to write, for --sensor")
      ->type_name("FILE")
      ->capture_default_str();
  command->add_flag("--keep-range-offset", options->calibration.keep_range_offset,
                    "Leave the range offset as it is: one run over the scans instead of six");
  add_skip_bad_option(*command, options->calibration.skip_bad);
  add_json_option(*command, options->json);
  command->callback([options, &run] { run = [options] { return run_calibrate(*options); }; });
}

}  // namespace fmbym::app
