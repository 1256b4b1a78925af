#include "fmbym/calibration/motion_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>

namespace fmbym {
namespace {

constexpr double kScale = 1.02, kOffset = 0.03;

// A road with bends, driven at 1.5 to 3.5 m a scan; the sensor `lever` ahead of the point that follows the
// road.
std::vector<SE2> road(std::size_t scans, double lever = 0) {
  std::vector<SE2> poses;
  SE2 T_world_axle;
  for (std::size_t i = 0; i < scans; ++i) {
    poses.push_back(T_world_axle * SE2{lever, 0, 0});
    const double s = static_cast<double>(i);
    T_world_axle = T_world_axle * SE2::exp({2.5 + std::sin(s / 9), 0, 0.04 * std::sin(s / 23)});
  }
  return poses;
}

struct Errors {
  double metres = 0;         // a scan
  double shared_metres = 0;  // the same for 25 scans, about 60 m
  unsigned seed = 1;
};

// What a sensor sees whose range resolution is too small by the scale, and whose azimuths are short of the
// offset.
std::vector<SE2> seen(const std::vector<SE2>& truth, const Errors& errors = {}) {
  std::mt19937 random(errors.seed);
  std::normal_distribution<double> normal(0, 1);
  std::vector<SE2> poses = {SE2{5, -3, 2}};  // a world of its own
  Vec2 shared;
  for (std::size_t i = 1; i < truth.size(); ++i) {
    if (i % 25 == 1) shared = {errors.shared_metres * normal(random), errors.shared_metres * normal(random)};
    const SE2 T = truth[i - 1].inverse() * truth[i];
    const Vec2 shift = rotate(-kOffset, {T.x / kScale, T.y / kScale});
    poses.push_back(poses.back() * SE2{shift.x + shared.x + errors.metres * normal(random),
                                       shift.y + shared.y + errors.metres * normal(random), T.yaw});
  }
  return poses;
}

DrivenPath path(const std::vector<SE2>& truth, const Errors& errors = {}) {
  return {seen(truth, errors), truth};
}

void expect_found(const MotionFit& fit, double scale_tolerance, double angle_tolerance) {
  ASSERT_TRUE(fit.scale && fit.azimuth_offset);
  EXPECT_NEAR(fit.scale->value, kScale, scale_tolerance);
  EXPECT_NEAR(fit.azimuth_offset->value, kOffset, angle_tolerance);
}

TEST(FitToTruth, IsExactForAnExactDrive) {
  const MotionFit fit = fit_to_truth({path(road(200))});
  expect_found(fit, 1e-9, 1e-9);
  EXPECT_NEAR(fit.scale->standard_error, 0, 1e-7);
  EXPECT_NEAR(fit.azimuth_offset->standard_error, 0, 1e-7);
}

TEST(FitToTruth, FindsAnyAngle) {
  for (const double offset : {-3.1, -1.5, 0.0, 1.6, 3.14}) {
    DrivenPath drive{{}, road(100)};
    const SE2 T_sensor_turned{0, 0, offset};
    for (const SE2& T : drive.T_world_true) drive.T_world_estimated.push_back(T * T_sensor_turned);
    const MotionFit fit = fit_to_truth({drive});
    ASSERT_TRUE(fit.azimuth_offset);
    EXPECT_NEAR(wrap_angle(fit.azimuth_offset->value - offset), 0, 1e-9);
    EXPECT_NEAR(fit.azimuth_offset->standard_error, 0, 1e-7);
  }
}

TEST(FitToTruth, AFewStretchesMayBeBad) {
  DrivenPath drive = path(road(400), {.metres = 0.02});
  for (std::size_t bad = 10; bad < 400; bad += 40)  // 10 of 200 stretches see three metres more, sideways
    for (std::size_t i = bad; i < 400; ++i) {
      const Vec2 jump = rotate(drive.T_world_estimated[bad - 1].yaw, {1, 3});
      drive.T_world_estimated[i].x += jump.x;
      drive.T_world_estimated[i].y += jump.y;
    }
  expect_found(fit_to_truth({drive}), 0.002, 0.002);
}

// With errors that 60 m have in common, stretches taken one by one would promise three times too much.
TEST(FitToTruth, StandardErrorsAreHonest) {
  constexpr unsigned drives = 60;
  const auto truth = road(800);
  double said_scale = 0, was_scale = 0, said_angle = 0, was_angle = 0;
  for (unsigned seed = 0; seed < drives; ++seed) {
    const MotionFit fit = fit_to_truth({path(truth, {.metres = 0.03, .shared_metres = 0.03, .seed = seed})});
    ASSERT_TRUE(fit.scale && fit.azimuth_offset);
    said_scale += std::pow(fit.scale->standard_error, 2);
    was_scale += std::pow(fit.scale->value - kScale, 2);
    said_angle += std::pow(fit.azimuth_offset->standard_error, 2);
    was_angle += std::pow(fit.azimuth_offset->value - kOffset, 2);
  }
  // The scatter of 60 drives is itself known to 9 %, and blocks that cut a shared error in two promise a bit
  // too much.
  EXPECT_NEAR(std::sqrt(said_scale / was_scale), 1, 0.25);
  EXPECT_NEAR(std::sqrt(said_angle / was_angle), 1, 0.25);
}

// 3 m ahead of the frame of the truth: the bends are left out, and left and right ones cancel for the most
// part.
TEST(FitToTruth, ALeverArmHardlyMatters) {
  const DrivenPath drive{seen(road(600, 3)), road(600)};
  expect_found(fit_to_truth({drive}), 0.001, 0.002);
}

TEST(FitToTruth, PathsAreTakenTogetherAndThoseWithoutTruthLeftOut) {
  const auto truth = road(300);
  const DrivenPath first = path({truth.begin(), truth.begin() + 150});
  const DrivenPath second = path({truth.begin() + 150, truth.end()});
  const MotionFit both = fit_to_truth({first, {}, second, {truth, {}}});
  expect_found(both, 1e-9, 1e-9);
  EXPECT_EQ(both.stretches, fit_to_truth({first}).stretches + fit_to_truth({second}).stretches);
}

TEST(FitToTruth, NothingWithoutMotion) {
  const std::vector<SE2> still(100);
  const MotionFit fit = fit_to_truth({{still, still}});
  EXPECT_FALSE(fit.scale || fit.azimuth_offset);
  EXPECT_EQ(fit.stretches, 0u);
  EXPECT_EQ(fit.distance, 0);
}

// Traffic around a standing vehicle: the estimate moves, the truth does not.
TEST(FitToTruth, MotionThatIsNotTrueDoesNotCount) {
  EXPECT_EQ(fit_to_truth({{road(100), std::vector<SE2>(100)}}).stretches, 0u);
}

TEST(FitToTruth, NothingFromTooFewStretches) {
  EXPECT_FALSE(fit_to_truth({}).scale);
  std::vector<SE2> straight;
  for (int i = 0; i < 16; ++i) straight.push_back({2.0 * i, 0, 0});
  EXPECT_FALSE(fit_to_truth({path(straight)}).scale);
  straight.push_back({32, 0, 0});
  EXPECT_TRUE(fit_to_truth({path(straight)}).scale);
}

TEST(FitToTruth, NothingFromTurnsAlone) {
  std::vector<SE2> circle;
  for (int i = 0; i < 200; ++i) circle.push_back(SE2::exp({2.0 * i, 0, 0.05 * i}));
  EXPECT_EQ(fit_to_truth({path(circle)}).stretches, 0u);
}

TEST(FitToStraightDriving, FindsTheOffsetAndNoScale) {
  const MotionFit fit = fit_to_straight_driving({{seen(road(400)), {}}});
  ASSERT_TRUE(fit.azimuth_offset);
  EXPECT_NEAR(fit.azimuth_offset->value, kOffset, 1e-4);
  EXPECT_FALSE(fit.scale);
}

// In the bends of `road` a lever of 2 m turns the direction of travel by up to 0.03 rad.
TEST(FitToStraightDriving, FindsTheOffsetAheadOfTheAxle) {
  const MotionFit fit = fit_to_straight_driving({{seen(road(400, 2), {.metres = 0.01}), {}}});
  ASSERT_TRUE(fit.azimuth_offset);
  EXPECT_NEAR(fit.azimuth_offset->value, kOffset, 0.001);
  EXPECT_LT(fit.azimuth_offset->standard_error, 0.001);
}

TEST(FitToStraightDriving, ABitOfReversingDoesNotMatter) {
  auto truth = road(300);
  for (int i = 0; i < 30; ++i) truth.push_back(truth.back() * SE2{-2, 0, 0});
  const MotionFit fit = fit_to_straight_driving({{seen(truth, {.metres = 0.01}), {}}});
  ASSERT_TRUE(fit.azimuth_offset);
  EXPECT_NEAR(fit.azimuth_offset->value, kOffset, 0.002);
}

TEST(FitToStraightDriving, NothingWithoutMotion) {
  EXPECT_FALSE(fit_to_straight_driving({{std::vector<SE2>(100), {}}}).azimuth_offset);
  EXPECT_FALSE(fit_to_straight_driving({}).azimuth_offset);
}

}  // namespace
}  // namespace fmbym
