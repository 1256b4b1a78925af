// From the bytes of an Oxford PNG to a scan.
#pragma once

#include <filesystem>

#include "datasets/png.hpp"
#include "fmbym/core/polar_scan.hpp"
#include "fmbym/datasets/dataset.hpp"

namespace fmbym::oxford {

// Range bins an azimuth of an image of this size; throws Error if it is too small to be a scan.
int bins_of(const png::Size& size, const std::filesystem::path& file);

// Throws Error naming `file` when the rows are no turn of the radar.
PolarScan decode(const png::GreyImage& image, const std::filesystem::path& file,
                 const SensorCalibration& calibration);

// The other way round; azimuths become encoder values, rounded to its steps.
png::GreyImage encode(const PolarScan& scan, double azimuth_offset);

}  // namespace fmbym::oxford
