// What scans that were taken on the way show of it.
#include "fmbym/odometry/sightings.hpp"

#include <gtest/gtest.h>

#include "odometry/synthetic_drive.hpp"

namespace fmbym {
namespace {

using testing::expect_near;
using testing::kDegree;
using testing::SyntheticWorld;

constexpr double kTurn = 360 * kDegree;

TEST(Sightings, AreUndone) {
  for (const double turns : {-3.0, -1.0, 1.0, 1.7})
    for (const double yaw : {-0.5, -0.1, 0.0, 0.3}) {
      const SE2 motion{2, -0.3, yaw};
      expect_near(between_scans(between_sightings(motion, turns), turns), motion, 1e-12, 1e-12);
    }
}

TEST(Sightings, OfAVehicleThatGoesStraightAreATurnApart) {
  expect_near(between_sightings({3, 0.1, 0}, 1), {3, 0.1, 0}, 0, 0);
}

// The beam is at a landmark when it has come around as often as there were turns, but for what the vehicle
// turned in the meantime.
TEST(Sightings, AreWhenTheBeamComesByAgain) {
  constexpr double turn_time = 0.25;
  for (const double yaw_rate : {-0.8, 0.3, 0.8})
    for (const double turns : {1.0, 2.0}) {
      const double seen = between_sightings({0, 0, yaw_rate * turns * turn_time}, turns).yaw;
      const double elapsed = seen / yaw_rate;
      EXPECT_NEAR(elapsed * kTurn / turn_time, turns * kTurn - seen, 1e-12);
    }
}

TEST(Sightings, FromTheLaterScanToTheEarlierAreTheSame) {
  const SE2 motion{2, 0.1, 0.2};
  expect_near(between_sightings(motion.inverse(), -1), between_sightings(motion, 1).inverse(), 1e-12, 1e-12);
}

TEST(Sightings, CountTurnsByTheTimeBetweenScans) {
  EXPECT_NEAR(turns_between(1'000'000, 1'500'000, 0.25), 2, 1e-12);
  EXPECT_NEAR(turns_between(1'500'000, 1'000'000, 0.25), -2, 1e-12);
  EXPECT_EQ(turns_between(1'000'000, 1'000'001, 0.25), 1);
  EXPECT_EQ(turns_between(1'000'000, 1'000'000, 0.25), 1);
}

// A vehicle that turns by 10° a scan where it stands, in some worlds: what is at the seam of the scans is a
// little different in each.
class TurningVehicle : public ::testing::TestWithParam<double> {
 protected:
  // On average.
  double yaw_error(bool mind_sightings, int scans_apart) const {
    OdometryConfig config = make_config(Method::raw, Preset::paper, 127);
    config.exhaustive.max_yaw = 25 * kDegree;
    config.mind_sightings = mind_sightings;
    constexpr unsigned worlds = 8;
    const double step = GetParam();
    double sum = 0;
    for (unsigned seed = 1; seed <= worlds; ++seed) {
      const SyntheticWorld world = SyntheticWorld::make(45, 0.8, seed);
      std::vector<PolarScan> scans;
      for (const int i : {0, scans_apart}) {
        scans.push_back(world.scan({0, 0, i * step}, {}, {0, 0, step / SyntheticWorld::kTurnSeconds}));
        scans.back().timestamp_us = 1'000'000 + 250'000 * i;
      }
      sum += testing::run(config, scans)[1].T_prev_curr.yaw - scans_apart * step;
    }
    return sum / worlds;
  }
};

// What is missing of each turn is 10°² / 360°. A tenth of a candidate is left to the search and the seam.
TEST_P(TurningVehicle, IsMeasuredOverATurn) {
  EXPECT_NEAR(yaw_error(true, 1), 0, 0.05 * kDegree);
  EXPECT_NEAR(yaw_error(false, 1), -0.28 * kDegree, 0.05 * kDegree);
}

TEST_P(TurningVehicle, IsMeasuredOverTwoTurns) {
  EXPECT_NEAR(yaw_error(true, 2), 0, 0.05 * kDegree);
  EXPECT_NEAR(yaw_error(false, 2), -0.56 * kDegree, 0.05 * kDegree);
}

INSTANTIATE_TEST_SUITE_P(BothWays, TurningVehicle, ::testing::Values(-10 * kDegree, 10 * kDegree),
                         [](const auto& step) { return step.param < 0 ? "left" : "right"; });

}  // namespace
}  // namespace fmbym
