#include <gtest/gtest.h>

#include "evaluation/trajectories.hpp"
#include "fmbym/evaluation/metrics.hpp"

namespace fmbym {
namespace {

using testing::contains;
using testing::message_of;
using testing::moved;
using testing::planar;
using testing::straight;
using testing::winding;

constexpr double kRounding = 1e-6;  // [m], positions of kilometres in double precision

Trajectory curve(double side) {
  std::vector<SE2> poses;
  for (int i = 0; i <= 100; ++i)
    poses.push_back({10.0 * i, side * 0.05 * i * i, side * std::atan2(0.1 * i, 10)});
  return planar(poses);
}

TEST(AbsoluteTrajectoryError, IsZeroForOneDriveInTwoWorlds) {
  std::mt19937 random(5);
  for (const Trajectory& drive : {winding(1), curve(1), straight(50)}) {
    EXPECT_NEAR(absolute_trajectory_error(drive, drive), 0, kRounding);
    for (int i = 0; i < 20; ++i) {
      const auto elsewhere = moved(testing::random_motion(random, 1000, 3), drive);
      EXPECT_NEAR(absolute_trajectory_error(drive, elsewhere), 0, kRounding);
      EXPECT_NEAR(absolute_trajectory_error(drive, elsewhere, Alignment::first_pose), 0, kRounding);
    }
  }
}

TEST(AbsoluteTrajectoryError, IsInvariantToTheWorldsOfBothTrajectories) {
  std::mt19937 random(6);
  const Trajectory truth = winding(1), estimate = winding(2);
  const auto A = testing::random_motion(random, 1000, 3), B = testing::random_motion(random, 1000, 3);
  for (const auto alignment : {Alignment::rigid, Alignment::first_pose}) {
    const double before = absolute_trajectory_error(truth, estimate, alignment);
    EXPECT_GT(before, 1);
    EXPECT_NEAR(absolute_trajectory_error(moved(A, truth), moved(B, estimate), alignment), before, kRounding);
  }
}

// Errors of (+e, −e, −e, +e) across a straight drive leave nothing to a shift or a turn.
TEST(AbsoluteTrajectoryError, IsTheRootMeanSquareOfWhatNoAlignmentRemoves) {
  const double e = 0.3;
  const Trajectory truth = planar({{0, 0, 0}, {10, 0, 0}, {20, 0, 0}, {30, 0, 0}});
  const Trajectory estimate = planar({{0, e, 0}, {10, -e, 0}, {20, -e, 0}, {30, e, 0}});
  EXPECT_NEAR(absolute_trajectory_error(truth, estimate), e, kRounding);
  // From the first pose: errors 0, 2e, 2e, 0.
  EXPECT_NEAR(absolute_trajectory_error(truth, estimate, Alignment::first_pose), e * std::sqrt(2), kRounding);
}

TEST(AbsoluteTrajectoryError, KeepsTheScale) {
  // Centred, a pose at distance d from the middle is off by 1 % of d; the mean of d² over -1000 … 1000 in
  // tens.
  double sum = 0;
  for (int i = -100; i <= 100; ++i) sum += 0.01 * i * 0.01 * i * 100;
  EXPECT_NEAR(absolute_trajectory_error(straight(200, 10), straight(200, 10.1)), std::sqrt(sum / 201),
              kRounding);
}

TEST(AbsoluteTrajectoryError, ExchangingLeftAndRightStaysWrong) {
  std::mt19937 random(7);
  const double mirrored = absolute_trajectory_error(curve(1), curve(-1));
  EXPECT_GT(mirrored, 10);
  const auto elsewhere = moved(testing::random_motion(random, 1000, 3), curve(-1));
  EXPECT_NEAR(absolute_trajectory_error(curve(1), elsewhere), mirrored, kRounding);
}

// The best upright alignment of planar trajectories, found by trying all turns.
TEST(AbsoluteTrajectoryError, IsTheLeastOverAllTurnsInThePlane) {
  const Trajectory truth = curve(1), estimate = curve(-1);
  double least = 1e9;
  for (double yaw = -3.2; yaw < 3.2; yaw += 1e-4) {
    const auto turned = moved(to_spatial({0, 0, yaw}), estimate);
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    double squares = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const Eigen::Vector3d difference = truth.T_world[i].translation() - turned.T_world[i].translation();
      mean += difference / 101;
      squares += difference.squaredNorm() / 101;
    }
    least = std::min(least, std::sqrt(squares - mean.squaredNorm()));
  }
  EXPECT_NEAR(absolute_trajectory_error(truth, estimate), least, 1e-4);  // half a step of yaw off, squared
  EXPECT_LE(absolute_trajectory_error(truth, estimate), least + kRounding);
}

TEST(AbsoluteTrajectoryError, StandingAndSinglePosesAreNoTrouble) {
  EXPECT_NEAR(absolute_trajectory_error(straight(20, 0), straight(20, 0)), 0, kRounding);
  EXPECT_NEAR(absolute_trajectory_error(straight(0), moved(to_spatial({5, 5, 1}), straight(0))), 0,
              kRounding);
  // Standing truth, moving estimate: the spread of -10, 0, 10.
  EXPECT_NEAR(absolute_trajectory_error(straight(2, 0), straight(2, 10)), std::sqrt(200.0 / 3), kRounding);
}

TEST(AbsoluteTrajectoryError, RefusesWhatDoesNotCorrespond) {
  EXPECT_TRUE(contains(message_of([] { absolute_trajectory_error(straight(2), straight(3)); }), "associate"));
  EXPECT_TRUE(contains(message_of([] { absolute_trajectory_error({}, {}); }), "0 poses"));
}

}  // namespace
}  // namespace fmbym
