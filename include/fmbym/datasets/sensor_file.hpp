// A sensor's calibration as a JSON file, made by `fmbym calibrate` or by hand:
//
//   { "range_resolution": 0.1752, "range_resolution_standard_error": 0.0004, "range_bins": 432,
//     "range_offset": 0, "azimuth_offset": 0.0113, "azimuth_offset_standard_error": 0.0005,
//     "sequences": ["drives/monday"], "made_by": "fmbym 0.1.0 calibrate" }
//
// Any member may be absent, and others are ignored.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fmbym/datasets/dataset.hpp"

namespace fmbym {

struct SensorFile {
  struct Value {
    double value = 0;
    std::optional<double> standard_error;  // absent: taken over, not determined
  };
  Value range_resolution;              // [m] a range bin
  Value range_offset;                  // [m]
  Value azimuth_offset;                // [rad]
  int range_bins = 0;                  // of the scans it was made from; 0: not known
  std::vector<std::string> sequences;  // it was made from
  std::string made_by;                 // the program and the command
};

// Throws Error naming the file and the member, when it is no JSON object or a value is none.
CalibrationOverride read_sensor_file(const std::filesystem::path& file);
// The same from memory; `file` stands for it in messages.
CalibrationOverride parse_sensor_file(std::string_view contents, const std::filesystem::path& file);

// A sequence may bring its sensor's values as sensor.json in its folder: those, where the user gave none.
constexpr std::string_view kSensorFileName = "sensor.json";
CalibrationOverride with_sensor_file(const std::filesystem::path& sequence, const CalibrationOverride& given);

void write_sensor_file(const std::filesystem::path& file, const SensorFile& sensor);

}  // namespace fmbym
