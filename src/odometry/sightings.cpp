#include "fmbym/odometry/sightings.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fmbym {
namespace {

SE2 prolonged(const SE2& motion, double factor) {
  const Twist2 way = motion.log();
  return SE2::exp({way.x * factor, way.y * factor, way.yaw * factor});
}

}  // namespace

double turns_between(std::int64_t first_us, std::int64_t second_us, double turn_time) {
  const double turns = static_cast<double>(second_us - first_us) * 1e-6 / turn_time;
  return std::copysign(std::max(std::abs(turns), 1.0), turns);
}

SE2 between_sightings(const SE2& between_scans, double turns) {
  return prolonged(between_scans, 1 / (1 + between_scans.yaw / (2 * std::numbers::pi * turns)));
}

SE2 between_scans(const SE2& between_sightings, double turns) {
  return prolonged(between_sightings, 1 / (1 - between_sightings.yaw / (2 * std::numbers::pi * turns)));
}

}  // namespace fmbym
