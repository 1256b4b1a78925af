// Options that several commands share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fmbym/datasets/dataset.hpp"
#include "fmbym/odometry/config.hpp"

namespace fmbym::app {

// --sensor, --range-resolution, --range-offset, --azimuth-offset. A value given by itself goes before the
// file's. The file is read while the command line is: may throw Error.
void add_sensor_options(CLI::App& command, CalibrationOverride& sensor);

// --method, --preset, --resolution, --threads, --set
struct MethodOptions {
  std::string method = "f-raw";
  std::string preset = "default";
  int resolution = 255;
  int threads = default_threads();
  std::vector<std::string> settings;  // NAME=VALUE

  OdometryConfig draft() const;  // not validated, and without a model yet; throws Error
  void change_settings(OdometryConfig& config) const;
  OdometryConfig config() const;  // of a command without masks; throws Error
  static int default_threads();   // two, or one on a machine with one core
};
void add_method_options(CLI::App& command, MethodOptions& options);
void add_threads_option(CLI::App& command, int& threads);

// --first, --count
struct ScanChoice {
  std::size_t first = 0;
  std::optional<std::size_t> count;

  // Throws Error where fewer than two are left. `sequence` is named in that message.
  std::vector<std::size_t> indices(const Dataset& dataset, const std::filesystem::path& sequence) const;
};
void add_scan_options(CLI::App& command, ScanChoice& scans);

// --skip-bad
void add_skip_bad_option(CLI::App& command, bool& skip_bad);

// --json
void add_json_option(CLI::App& command, bool& json);

}  // namespace fmbym::app
