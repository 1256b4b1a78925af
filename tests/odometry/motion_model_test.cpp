#include "fmbym/odometry/motion_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fmbym/core/error.hpp"

namespace fmbym {
namespace {

constexpr double kScan = 0.25;  // [s]

MotionModel driving(const Twist2& velocity) {
  MotionModel model({});
  model.observe(SE2::exp({velocity.x * kScan, velocity.y * kScan, velocity.yaw * kScan}), kScan);
  return model;
}

TEST(MotionModel, GoesOnAsItDid) {
  const MotionModel model = driving({10, 0.2, 0.3});
  EXPECT_NEAR(model.velocity().x, 10, 1e-9);
  EXPECT_NEAR(model.velocity().yaw, 0.3, 1e-9);
  // Three scans at once are three scans one after the other: a gap changes nothing.
  const SE2 one = model.predict(kScan), three = model.predict(3 * kScan), chained = one * one * one;
  EXPECT_NEAR(three.x, chained.x, 1e-9);
  EXPECT_NEAR(three.y, chained.y, 1e-9);
  EXPECT_NEAR(three.yaw, chained.yaw, 1e-9);
}

TEST(MotionModel, AMotionOverAGapHasItsVelocity) {
  MotionModel model({});
  model.observe(SE2::exp({15, 0, 0.3}), 1.5);
  EXPECT_NEAR(model.velocity().x, 10, 1e-9);
  EXPECT_NEAR(model.velocity().yaw, 0.2, 1e-9);
}

TEST(MotionModel, KnowsWhatAVehicleCanDo) {
  const MotionModel model = driving({10, 0, 0});
  EXPECT_TRUE(model.is_possible({2.5, 0, 0}, kScan));
  EXPECT_TRUE(model.is_possible({3.1, 0, 0}, kScan));   // 10 m/s²
  EXPECT_FALSE(model.is_possible({4.5, 0, 0}, kScan));  // more than that, and than a match may be off
  EXPECT_FALSE(model.is_possible({0.5, 0, 0}, kScan));
  EXPECT_FALSE(model.is_possible({2.5, 1.5, 0}, kScan));
  EXPECT_FALSE(model.is_possible({2.5, 0, 0.5}, kScan));
  EXPECT_TRUE(model.is_possible({20, 3, 0.5}, 1.5));  // with time comes room
  EXPECT_FALSE(model.is_possible({100, 0, 0}, 1.5));  // but not beyond any speed
}

TEST(MotionModel, BeforeTheFirstMotionOnlySpeedIsLimited) {
  const MotionModel model({});
  EXPECT_TRUE(model.is_possible({12, 0, 0.3}, kScan));
  EXPECT_FALSE(model.is_possible({20, 0, 0}, kScan));
  EXPECT_FALSE(model.is_possible({0, 0, 0.8}, kScan));
  EXPECT_EQ(model.likelihood({12, 0, 0.3}, kScan), 1);
}

TEST(MotionModel, PrefersWhatNeedsLessAcceleration) {
  const MotionModel model = driving({10, 0, 0});
  EXPECT_NEAR(model.likelihood({2.5, 0, 0}, kScan), 1, 1e-12);
  EXPECT_GT(model.likelihood({2.6, 0, 0}, kScan), model.likelihood({2.9, 0, 0}, kScan));
  EXPECT_GT(model.likelihood({2.5, 0, 0.01}, kScan), model.likelihood({2.5, 0, 0.1}, kScan));
}

TEST(MotionModel, DoubtGrowsWithTime) {
  const MotionModel model = driving({10, 0, 0});
  EXPECT_GT(model.covariance(1)[0][0], 10 * model.covariance(kScan)[0][0]);
  EXPECT_GT(MotionModel({}).covariance(kScan)[0][0], 10 * model.covariance(kScan)[0][0]);
}

TEST(MotionModel, StandsStillWhereTheMotionIsTooSmallToTell) {
  const MotionModel model = driving({1, 0, 0});
  EXPECT_TRUE(model.is_still({0.02, -0.01, 0.001}));
  EXPECT_FALSE(model.is_still({0.04, 0, 0}));
  EXPECT_FALSE(model.is_still({0, 0, 0.002}));
}

TEST(MotionModel, StandingTakesMoreToMove) {
  const MotionModel model = driving({0, 0, 0});
  EXPECT_TRUE(model.is_still({0.04, 0, 0.002}));
  EXPECT_FALSE(model.is_still({0.07, 0, 0}));
  EXPECT_FALSE(model.is_still({0, 0, 0.004}));
}

TEST(MotionConfig, RefusesNonsense) {
  EXPECT_THROW(MotionConfig({.max_speed = 0}).validate(), Error);
  EXPECT_THROW(MotionConfig({.max_acceleration = std::nan("")}).validate(), Error);
  EXPECT_THROW(MotionConfig({.min_correlation = 1}).validate(), Error);
  EXPECT_THROW(MotionConfig({.still_distance = -1}).validate(), Error);
}

}  // namespace
}  // namespace fmbym
