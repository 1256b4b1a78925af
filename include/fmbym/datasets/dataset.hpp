// A sequence of radar scans on disk, read one at a time, with ground truth where there is any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fmbym/core/polar_scan.hpp"
#include "fmbym/core/se2.hpp"

namespace fmbym {

// What a sensor's maker or a calibration says about it.
struct SensorCalibration {
  double range_resolution = 0;  // [m] a range bin
  double range_offset = 0;      // added to every measured range [m]
  double azimuth_offset = 0;    // added to every encoder angle, clockwise [rad]
  int range_bins = 0;           // of a scan; 0: no scan could tell
};

// Values given by the user; what is absent comes from the data set.
struct CalibrationOverride {
  std::optional<double> range_resolution;
  std::optional<double> range_offset;
  std::optional<double> azimuth_offset;
  std::optional<int> range_bins = {};  // that the range resolution is for; scans of another width are refused
};

class Dataset {
 public:
  virtual ~Dataset() = default;

  virtual std::string format() const = 0;  // "oxford"
  virtual std::size_t size() const = 0;    // scans
  virtual std::int64_t timestamp_us(std::size_t index) const = 0;
  virtual std::filesystem::path file(std::size_t index) const = 0;
  // Reads and decodes one scan; throws Error naming the file. Safe to call from several threads.
  virtual PolarScan read(std::size_t index) const = 0;

  virtual const SensorCalibration& calibration() const = 0;
  // Pose of each scan in the frame of the first scan that has one; empty without ground truth.
  virtual const std::vector<std::optional<SE2>>& ground_truth() const = 0;
  // What is unusual about the sequence, one line each (scans listed but missing, ground truth with holes).
  virtual const std::vector<std::string>& remarks() const = 0;
};

// Opens the folder with the first format that recognises it; throws Error if none does.
std::unique_ptr<Dataset> open_dataset(const std::filesystem::path& folder,
                                      const CalibrationOverride& given = {});

std::vector<std::size_t> all_scans(const Dataset& dataset);  // their indices, in order

// Indices i such that the time from scan i-1 to scan i is over 1.5 times the sequence's median: scans are
// missing there.
std::vector<std::size_t> time_gaps(const Dataset& dataset);

}  // namespace fmbym
