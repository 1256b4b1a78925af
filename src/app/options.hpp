// Options that several commands share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fmbym/datasets/dataset.hpp"
#include "fmbym/odometry/config.hpp"

namespace fmbym::app {

// --range-resolution, --range-offset, --azimuth-offset
void add_sensor_options(CLI::App& command, CalibrationOverride& sensor);

// --method, --preset, --resolution, --threads, --set
struct MethodOptions {
  std::string method = "f-raw";
  std::string preset = "default";
  int resolution = 255;
  int threads = default_threads();
  std::vector<std::string> settings;  // NAME=VALUE

  OdometryConfig config() const;  // throws Error
  static int default_threads();   // two, or one on a machine with one core
};
void add_method_options(CLI::App& command, MethodOptions& options);
void add_threads_option(CLI::App& command, int& threads);

// --json
void add_json_option(CLI::App& command, bool& json);

}  // namespace fmbym::app
