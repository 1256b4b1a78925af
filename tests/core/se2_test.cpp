#include "fmbym/core/se2.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace fmbym {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kRounding = 1e-9;  // positions of some 10 m, a few operations in double precision

void expect_near(const SE2& a, const SE2& b, double tolerance = kRounding) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(wrap_angle(a.yaw - b.yaw), 0, tolerance);
}

std::vector<SE2> samples() {
  std::vector<SE2> poses = {{},          {1, 0, 0}, {0, 1, kPi / 2}, {3, -2, kPi}, {-1, 5, -kPi + 1e-12},
                            {2, 2, 1e-7}};
  std::mt19937 random(1);
  std::uniform_real_distribution<double> metres(-10, 10), angle(-kPi, kPi);
  for (int i = 0; i < 50; ++i) poses.push_back({metres(random), metres(random), angle(random)});
  return poses;
}

TEST(SE2, SatisfiesTheGroupAxioms) {
  const auto poses = samples();
  for (const SE2& a : poses) {
    expect_near(a * SE2{}, a);
    expect_near(SE2{} * a, a);
    expect_near(a * a.inverse(), {});
    expect_near(a.inverse() * a, {});
    for (const SE2& b : poses) expect_near((a * b) * poses.back(), a * (b * poses.back()));
  }
}

TEST(SE2, ExpAndLogAreInverse) {
  for (const SE2& a : samples()) expect_near(SE2::exp(a.log()), a);
  for (const double yaw : {0.0, 1e-9, 9e-5, 1.1e-4, 0.5, -3.0}) {
    const Twist2 twist{2, -1, yaw};
    const Twist2 back = SE2::exp(twist).log();
    EXPECT_NEAR(back.x, twist.x, kRounding);
    EXPECT_NEAR(back.y, twist.y, kRounding);
    EXPECT_NEAR(back.yaw, twist.yaw, kRounding);
  }
}

TEST(SE2, ExpOfHalfTheTwistIsHalfTheMotion) {
  const Twist2 twist{4, 1, 0.8};
  const SE2 half = SE2::exp({twist.x / 2, twist.y / 2, twist.yaw / 2});
  expect_near(half * half, SE2::exp(twist));
}

TEST(SE2, PositiveYawTurnsForwardTowardsRight) {
  const Vec2 ahead = SE2{0, 0, kPi / 2} * Vec2{1, 0};
  EXPECT_NEAR(ahead.x, 0, kRounding);
  EXPECT_NEAR(ahead.y, 1, kRounding);
}

TEST(SE2, WrapsAnglesIntoTheHalfOpenTurn) {
  EXPECT_DOUBLE_EQ(wrap_angle(-kPi), kPi);
  EXPECT_DOUBLE_EQ(wrap_angle(kPi), kPi);
  EXPECT_NEAR(wrap_angle(7 * kPi + 0.1), -kPi + 0.1, kRounding);
}

}  // namespace
}  // namespace fmbym
