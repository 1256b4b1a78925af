// A sensor's values from sequences on disk: which runs of odometry it takes, and what they say.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/options.hpp"
#include "fmbym/calibration/estimate.hpp"

namespace fmbym::app {

struct CalibrationOptions {
  std::vector<std::filesystem::path> sequences;
  CalibrationOverride sensor;
  ScanChoice scans;
  bool keep_range_offset = false;  // one run instead of six
  bool skip_bad = false;           // leave out scans that can't be read
};

// One value of the sensor.
struct Finding {
  double used = 0;
  std::optional<Estimate> found;
  double value() const { return found ? found->value : used; }
};

struct Calibration {
  bool truth = false;  // there was some
  std::vector<std::filesystem::path> sequences;
  std::size_t scans = 0, stretches = 0;
  double distance = 0;  // of the stretches [m]
  int range_bins = 0;
  Finding range_resolution, range_offset, azimuth_offset;
  std::string no_range_offset;  // why there is none
};

// Throws Error; nothing when Ctrl-C ended it.
std::optional<Calibration> calibrate(const CalibrationOptions& options, const OdometryConfig& config);

}  // namespace fmbym::app
