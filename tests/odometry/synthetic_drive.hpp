// A drive through a world that is known, and odometry over it.
#pragma once

#include <gtest/gtest.h>

#include <numbers>
#include <vector>

#include "fmbym/odometry/odometry.hpp"
#include "support/expect_near.hpp"
#include "support/synthetic_world.hpp"

namespace fmbym::testing {

inline constexpr double kDegree = std::numbers::pi / 180;

struct Drive {
  std::vector<SE2> increments;  // T_prev_curr; none for the first scan
  std::vector<PolarScan> scans;
};

// A turn at 8 m/s, every azimuth taken on the way.
inline Drive make_drive() {
  Drive drive;
  const SyntheticWorld world = SyntheticWorld::make(60);
  const Twist2 step{2, 0.1, 0.05};
  const double turns_per_second = 1 / SyntheticWorld::kTurnSeconds;
  const Twist2 velocity{step.x * turns_per_second, step.y * turns_per_second, step.yaw * turns_per_second};
  SE2 T_world_sensor{-6, 1, 0.3};
  for (int i = 0; i < 7; ++i) {
    drive.increments.push_back(i == 0 ? SE2{} : SE2::exp(step));
    T_world_sensor = T_world_sensor * drive.increments.back();
    drive.scans.push_back(world.scan(T_world_sensor, {.first_azimuth = 0.0146}, velocity));
    drive.scans.back().timestamp_us = 1'000'000 + 250'000 * i;
  }
  return drive;
}

inline std::vector<Registration> run(const OdometryConfig& config, const std::vector<PolarScan>& scans) {
  Odometry odometry(config);
  std::vector<Registration> registrations;
  for (const PolarScan& scan : scans) registrations.push_back(odometry.register_scan(scan));
  return registrations;
}

}  // namespace fmbym::testing
