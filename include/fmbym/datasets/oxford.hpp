// The layout of the Oxford Radar RobotCar Dataset:
//   radar/<µs>.png         8-bit grey, a row an azimuth: int64 time [µs], uint16 encoder, uint8 valid, power
//   radar.timestamps       "<µs> <valid>" a line; optional here: without it the files' names are the list
//   gt/radar_odometry.csv  increments, optional
#pragma once

#include <filesystem>
#include <memory>

#include "fmbym/datasets/dataset.hpp"

namespace fmbym::oxford {

// Of reduced scans: so many of the nearest bins, each the average of so many of the radar's, in multiples
// of 4.
inline constexpr int kReducedBins = 432, kReducedBy = 4;

bool recognises(const std::filesystem::path& folder);
std::unique_ptr<Dataset> open(const std::filesystem::path& folder, const CalibrationOverride& given);

// One scan from one file, without a sequence around it. The file name is its timestamp where it is a number.
// Azimuths increase from row to row and span less than a turn; they may pass 2π. Rows marked invalid are
// interpolated between their valid neighbours.
PolarScan read_scan(const std::filesystem::path& png, const CalibrationOverride& given = {});

// The calibration of the Oxford radar for images of this many range bins; throws Error for a width it does
// not know unless the user gave the range resolution. `png` is named in that message.
SensorCalibration calibration_for(int bins, const CalibrationOverride& given,
                                  const std::filesystem::path& png);

}  // namespace fmbym::oxford
