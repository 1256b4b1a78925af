// What a sensor's values may be, wherever they come from.
#pragma once

#include <cmath>
#include <numbers>

namespace fmbym {

// Comparisons with NaN are false, so that NaN is refused as well.
struct SensorLimit {
  const char* expected;
  bool (*holds)(double);
};

inline constexpr SensorLimit kRangeResolutionLimit = {
    "metres a range bin above 0 and at most 10", [](double metres) { return metres > 0 && metres <= 10; }};
inline constexpr SensorLimit kRangeOffsetLimit = {"metres from -100 to 100",
                                                  [](double metres) { return std::abs(metres) <= 100; }};
inline constexpr SensorLimit kAzimuthOffsetLimit = {
    "radians within a full turn", [](double radians) { return std::abs(radians) <= 2 * std::numbers::pi; }};

}  // namespace fmbym
