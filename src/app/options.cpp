#include "app/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "fmbym/core/error.hpp"
#include "fmbym/datasets/sensor_file.hpp"
#include "fmbym/odometry/settings.hpp"

namespace fmbym::app {

void add_sensor_options(CLI::App& command, CalibrationOverride& sensor) {
  const std::string group = "Sensor (defaults: what the data set is known to need)";
  // First, so that the others come after it and override what it says.
  command
      .add_option_function<std::string>(
          "--sensor", [&sensor](const std::string& file) { sensor = read_sensor_file(file); },
          "File with the sensor's values, as fmbym calibrate writes it; the options below go before it")
      ->type_name("FILE")
      ->group(group);
  command
      .add_option_function<double>(
          "--range-resolution",
          [&sensor](double metres) {
            sensor.range_resolution = metres;
            sensor.range_bins.reset();  // it was for the file's value
          },
          "Metres a range bin")
      ->type_name("METRES")
      ->group(group);
  command.add_option("--range-offset", sensor.range_offset, "Metres to add to every range")
      ->type_name("METRES")
      ->group(group);
  command
      .add_option("--azimuth-offset", sensor.azimuth_offset,
                  "Radians to add to every encoder angle, clockwise")
      ->type_name("RADIANS")
      ->group(group);
}

int MethodOptions::default_threads() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 2);
}

OdometryConfig MethodOptions::draft() const {
  OdometryConfig config = make_config(parse_method(method), parse_preset(preset), resolution);
  config.threads = threads;
  change_settings(config);
  return config;
}

void MethodOptions::change_settings(OdometryConfig& config) const {
  for (const std::string& assignment : settings) apply_setting(config, assignment);
}

OdometryConfig MethodOptions::config() const {
  const OdometryConfig config = draft();
  if (uses_masks(config.method))
    throw Error(fmt::format("--method {}: this command works without masks; choose {}", method,
                            is_decoupled(config.method) ? "f-raw" : "raw"));
  config.validate();
  return config;
}

void add_threads_option(CLI::App& command, int& threads) {
  command.add_option("--threads", threads, "Threads to use; with one, nothing runs beside the matching")
      ->type_name("N")
      ->capture_default_str();
}

void add_method_options(CLI::App& command, MethodOptions& options) {
  command
      .add_option(
          "--method", options.method,
          "f-raw (rotation from the spectra's magnitudes, then translation) or raw (exhaustive search)")
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--preset", options.preset,
                  "default (the best known settings) or paper (Algorithm 1, scan to scan)")
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--resolution", options.resolution,
                  "Pixels a side of the square of 102 m: 127, 255 or 511, or any odd number")
      ->type_name("N")
      ->capture_default_str();
  add_threads_option(command, options.threads);
  command
      .add_option(
          "--set", options.settings,
          "Change one number of the configuration, such as map.fade=0.8; may be repeated. config.json "
          "in the results lists them all")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

std::vector<std::size_t> ScanChoice::indices(const Dataset& dataset,
                                             const std::filesystem::path& sequence) const {
  const std::size_t available = dataset.size() - std::min(first, dataset.size());
  std::vector<std::size_t> chosen(std::min(available, count.value_or(available)));
  std::iota(chosen.begin(), chosen.end(), first);
  if (chosen.size() < 2)
    throw Error(fmt::format(
        "{}: odometry needs at least two scans, --first {}{} leaves {} of {}; choose more", sequence.string(),
        first, count ? fmt::format(" --count {}", *count) : "", chosen.size(), dataset.size()));
  return chosen;
}

void add_scan_options(CLI::App& command, ScanChoice& scans) {
  command.add_option("--first", scans.first, "Index of the first scan to use")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_option("--count", scans.count, "How many scans to use [all]")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
}

void add_skip_bad_option(CLI::App& command, bool& skip_bad) {
  command.add_flag("--skip-bad", skip_bad, "Leave out scans that can't be read, instead of stopping");
}

void add_json_option(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Print one JSON object and nothing else to standard output");
}

}  // namespace fmbym::app
