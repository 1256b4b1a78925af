#include "app/options.hpp"

#include <algorithm>
#include <thread>

#include "fmbym/odometry/settings.hpp"

namespace fmbym::app {

void add_sensor_options(CLI::App& command, CalibrationOverride& sensor) {
  const std::string group = "Sensor (defaults: what the data set is known to need)";
  command.add_option("--range-resolution", sensor.range_resolution, "Metres a range bin")
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

OdometryConfig MethodOptions::config() const {
  OdometryConfig config = make_config(parse_method(method), parse_preset(preset), resolution);
  config.threads = threads;
  for (const std::string& assignment : settings) apply_setting(config, assignment);
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
                  "default (the best known settings) or paper (Algorithm 1 to the letter)")
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

void add_json_option(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Print one JSON object and nothing else to standard output");
}

}  // namespace fmbym::app
