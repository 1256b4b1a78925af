#include <fmt/format.h>

#include "datasets/sensor_limits.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/datasets/oxford.hpp"

namespace fmbym::oxford {
namespace {

// The development kit says 0.0432 m a bin. With the motion during a scan taken out, 0.0438 m gives the
// distances of the ground truth to 0.1 % on two sequences; the kit's value is 1.4 % short.
constexpr double kRangeResolution = 0.0438;

// The direction of travel estimated from the scans lies 0.0103 rad to the left of the ground truth's: the
// radar's zero points that much to the right of straight ahead (docs/results.md, "Calibration"). Scans of
// another width are another radar's, of which nothing is known.
constexpr double kAzimuthOffset = 0.0103;

struct Width {
  int bins;
  double range_resolution;  // [m]
};
constexpr Width kWidths[] = {
    {.bins = 3768, .range_resolution = kRangeResolution},  // as recorded
    {.bins = kReducedBins, .range_resolution = kReducedBy * kRangeResolution},
};

const Width* known_width(int bins) {
  for (const Width& width : kWidths)
    if (width.bins == bins) return &width;
  return nullptr;
}

double known_resolution(int bins, const std::filesystem::path& png) {
  if (const Width* width = known_width(bins)) return width->range_resolution;
  throw Error(
      fmt::format("{}: {} range bins is no width of the Oxford radar ({}, or {} for reduced scans); "
                  "give --range-resolution METRES",
                  png.string(), bins, kWidths[0].bins, kWidths[1].bins));
}

void require(const SensorLimit& limit, const char* option, const std::optional<double>& found) {
  if (found && !limit.holds(*found))
    throw Error(fmt::format("{}: expected {}, found {}; correct the option", option, limit.expected, *found));
}

void require_sane(const CalibrationOverride& given) {
  require(kRangeResolutionLimit, "--range-resolution", given.range_resolution);
  require(kRangeOffsetLimit, "--range-offset", given.range_offset);
  require(kAzimuthOffsetLimit, "--azimuth-offset", given.azimuth_offset);
}

// A resolution found for bins of one size is wrong for those of another, and nothing later would tell.
void require_width(int bins, const CalibrationOverride& given, const std::filesystem::path& png) {
  if (given.range_bins && bins != 0 && *given.range_bins != bins)
    throw Error(fmt::format(
        "{}: expected {} range bins as the sensor file was made for, found {}; calibrate with these "
        "scans or give --range-resolution METRES",
        png.string(), *given.range_bins, bins));
}

}  // namespace

SensorCalibration calibration_for(int bins, const CalibrationOverride& given,
                                  const std::filesystem::path& png) {
  require_sane(given);
  require_width(bins, given, png);
  return {given.range_resolution ? *given.range_resolution : known_resolution(bins, png),
          given.range_offset.value_or(0),
          given.azimuth_offset.value_or(known_width(bins) ? kAzimuthOffset : 0), bins};
}

}  // namespace fmbym::oxford
