#include <gtest/gtest.h>

#include <numbers>

#include "evaluation/trajectories.hpp"
#include "fmbym/evaluation/metrics.hpp"

namespace fmbym {
namespace {

using testing::contains;
using testing::kTenMetres;
using testing::message_of;
using testing::straight;
using testing::winding;

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kRounding = 1e-6;  // % and °/km: positions of kilometres in double precision, over 100 m

KittiScore score(const Trajectory& truth, const Trajectory& estimate, const KittiOptions& options = {}) {
  return kitti_score(truth, estimate, options).value();
}

TEST(KittiScore, IsZeroForIdenticalTrajectories) {
  const Trajectory drive = winding(1);
  EXPECT_NEAR(score(drive, drive).mean.translation_percent, 0, kRounding);
  EXPECT_NEAR(score(drive, drive).mean.rotation_deg_per_km, 0, kRounding);
}

TEST(KittiScore, AScaleOfOnePercentIsOnePercent) {
  const auto result = score(straight(200), straight(200, 1.01 * kTenMetres));
  EXPECT_NEAR(result.mean.translation_percent, 1, 1e-6);
  EXPECT_NEAR(result.mean.rotation_deg_per_km, 0, kRounding);
  for (const auto& [length, error] : result.by_length)
    EXPECT_NEAR(error.translation_percent, 1, 1e-6) << length;
}

TEST(KittiScore, AConstantYawDriftIsItsRate) {
  const double degrees_per_km = 7;
  const double yaw = degrees_per_km * kDegree / 1000 * kTenMetres;
  for (const double sign : {-1.0, 1.0}) {
    const auto estimate = testing::repeated(to_spatial({kTenMetres, 0, sign * yaw}), 200);
    for (const auto angle : {AngleFormula::atan2, AngleFormula::acos})
      EXPECT_NEAR(score(straight(200), estimate, {.angle = angle}).mean.rotation_deg_per_km, degrees_per_km,
                  1e-5);
  }
}

// An arc of length L and angle c·L against the straight of length L, both from the origin: seen from the
// arc's end, the straight's end is away by the same distance as seen from the origin.
TEST(KittiScore, TheTranslationErrorOfAnArcIsTheDistanceOfTheEnds) {
  const double yaw = 0.002;
  const int steps = 80;
  const auto result = score(straight(steps), testing::repeated(to_spatial({kTenMetres, 0, yaw}), steps));
  for (const auto& [length, error] : result.by_length) {
    double x = 0, y = 0;
    for (int i = 0; i < length / 10; ++i) x += 10 * std::cos(i * yaw), y += 10 * std::sin(i * yaw);
    EXPECT_NEAR(error.translation_percent, 100 * std::hypot(length - x, y) / length, 1e-5) << length;
  }
}

TEST(KittiScore, IsInvariantToTheWorldsOfBothTrajectories) {
  const Trajectory truth = winding(1), estimate = winding(2);
  const auto before = score(truth, estimate).mean;
  std::mt19937 random(3);
  const auto A = testing::random_motion(random, 1000, 3), B = testing::random_motion(random, 1000, 3);
  const auto after = score(testing::moved(A, truth), testing::moved(B, estimate)).mean;
  EXPECT_GT(before.translation_percent, 1);
  EXPECT_NEAR(after.translation_percent, before.translation_percent, kRounding);
  EXPECT_NEAR(after.rotation_deg_per_km, before.rotation_deg_per_km, kRounding);
}

TEST(KittiScore, CountsTheSegmentsThatFit) {
  // 101 poses, 10 m apart: a segment of length L fits from frames 0 … 100 - L/10.
  const auto every = score(straight(100), straight(100), {.step = 1});
  std::size_t sum = 0;
  for (const auto& [length, error] : every.by_length) {
    EXPECT_EQ(error.segments, static_cast<std::size_t>(101 - length / 10));
    sum += error.segments;
  }
  EXPECT_EQ(every.by_length.size(), 8u);
  EXPECT_EQ(every.mean.segments, sum);
  EXPECT_EQ(score(straight(100), straight(100), {.step = 4}).by_length.at(100).segments, 23u);  // 0, 4, … 88
}

TEST(KittiScore, ASegmentEndsAtTheFirstPoseBeyondItsLength) {
  EXPECT_FALSE(kitti_score(straight(10, 10), straight(10, 10)));  // 100 m are not beyond 100 m
  // 110 m too long by 1 %, over the nominal 100 m.
  EXPECT_NEAR(score(straight(11, 10), straight(11, 10.1)).mean.translation_percent, 1.1, 1e-6);
}

TEST(KittiScore, MeasuresLengthsAlongTheTruthInAllThreeDimensions) {
  const auto climb = testing::repeated(Eigen::Isometry3d(Eigen::Translation3d(3, 0, 4)), 30);  // 150 m
  EXPECT_EQ(score(climb, climb).by_length.count(100), 1u);
  EXPECT_FALSE(kitti_score(straight(30, 3), climb));  // 90 m
  EXPECT_DOUBLE_EQ(path_length(climb), 150);
}

TEST(KittiScore, IsTheMeanOverSegmentsNotOverLengths) {
  // Only the first 10 m are too long by 1 m, which every segment from frame 0 sees and no other.
  Trajectory estimate = straight(30);
  for (std::size_t i = 1; i < estimate.size(); ++i)
    estimate.T_world[i].pretranslate(Eigen::Vector3d(1, 0, 0));
  const auto result = score(straight(30), estimate, {.step = 1});
  EXPECT_NEAR(result.by_length.at(100).translation_percent, 1.0 / 21, 1e-6);
  EXPECT_NEAR(result.by_length.at(300).translation_percent, 1.0 / 3, 1e-6);
  EXPECT_NEAR(result.mean.translation_percent, (1 + 0.5 + 1.0 / 3) / (21 + 11 + 1), 1e-6);
}

TEST(KittiScore, ShortOrStandingTrajectoriesHaveNone) {
  EXPECT_FALSE(kitti_score(straight(9), straight(9)));
  EXPECT_FALSE(kitti_score(straight(500, 0), straight(500, 0)));
  EXPECT_FALSE(kitti_score({}, {}));
  EXPECT_TRUE(kitti_score(straight(10), straight(10)));
  EXPECT_EQ(path_length({}), 0);
}

TEST(KittiScore, StandingStillAddsNothing) {
  Trajectory truth = straight(40);
  truth.T_world.insert(truth.T_world.begin() + 5, 100, truth.T_world[5]);
  EXPECT_NEAR(score(truth, truth, {.step = 1}).mean.translation_percent, 0, kRounding);
  EXPECT_NEAR(path_length(truth), 400, 1e-5);
}

TEST(KittiScore, Atan2SeesAnglesThatAcosDoesNot) {
  const double yaw = 1e-10;  // a step; 1e-9 over 100 m, whose cosine is 1 in double precision
  const double expected = yaw / kDegree / kTenMetres * 1000;
  const auto estimate = testing::repeated(to_spatial({kTenMetres, 0, yaw}), 10);
  const auto rotation = [&](AngleFormula angle) {
    return score(straight(10), estimate, {.angle = angle}).mean.rotation_deg_per_km;
  };
  EXPECT_NEAR(rotation(AngleFormula::atan2), expected, 1e-6 * expected);
  EXPECT_GT(std::abs(rotation(AngleFormula::acos) - expected), 0.5 * expected);
}

// Rows of six decimals, as most files have: their rounding must not count as rotation.
TEST(KittiScore, RoundedRowsScoreAsTheExactOnes) {
  Trajectory rounded = winding(1);
  for (auto& pose : rounded.T_world)
    pose.linear() = pose.linear().unaryExpr([](double v) { return std::round(v * 1e6) / 1e6; });
  for (const auto angle : {AngleFormula::atan2, AngleFormula::acos}) {
    // acos sees nothing below 1e-8 rad: 6e-6 °/km on 100 m.
    EXPECT_NEAR(score(rounded, rounded, {.angle = angle}).mean.rotation_deg_per_km, 0, 1e-5);
    EXPECT_NEAR(score(rounded, rounded, {.angle = angle}).mean.translation_percent, 0, kRounding);
  }
  // 1e-6 rad are 6e-4 °/km on 100 m. The cosine is off by 1e-6 as well, which acos takes for 1e-3 rad.
  EXPECT_LT(score(winding(1), rounded).mean.rotation_deg_per_km, 1e-3);
  EXPECT_GT(score(winding(1), rounded, {.angle = AngleFormula::acos}).mean.rotation_deg_per_km, 1e-2);
}

TEST(KittiScore, AnglesUpToHalfATurnCount) {
  for (const double degrees : {90.0, 179.0, 180.0}) {
    Trajectory estimate = straight(10);
    estimate.T_world.back().rotate(Eigen::AngleAxisd(degrees * kDegree, Eigen::Vector3d::UnitZ()));
    EXPECT_NEAR(score(straight(10), estimate).mean.rotation_deg_per_km, degrees * 10, 1e-5);
  }
}

TEST(SegmentErrors, AreWhatTheScoreIsTheMeanOf) {
  const Trajectory truth = winding(1), estimate = winding(2);
  const auto segments = segment_errors(truth, estimate);
  double percent = 0;
  for (const SegmentError& segment : segments) percent += segment.translation_percent;
  const KittiScore mean = score(truth, estimate);
  EXPECT_EQ(segments.size(), mean.mean.segments);
  EXPECT_NEAR(percent / double(segments.size()), mean.mean.translation_percent, kRounding);
}

TEST(SegmentErrors, SayWhereTheyStart) {
  const auto segments = segment_errors(straight(60), straight(60), {.step = 3});
  for (std::size_t i = 1; i < segments.size(); ++i) {
    EXPECT_EQ(segments[i].first % 3, 0u);
    EXPECT_NEAR(segments[i].start_m, double(segments[i].first) * kTenMetres, 1e-9);
    const bool same_start = segments[i].first == segments[i - 1].first;
    EXPECT_EQ(segments[i].length_m, same_start ? segments[i - 1].length_m + 100 : 100);
  }
  EXPECT_EQ(segments.back().length_m, 100);
}

TEST(KittiScore, RefusesWhatDoesNotCorrespond) {
  EXPECT_TRUE(
      contains(message_of([] { kitti_score(straight(20), straight(21)); }), "21 poses of the ground truth"));
  EXPECT_TRUE(
      contains(message_of([] { kitti_score(straight(20), straight(20), {.step = 0}); }), "give 1 or more"));
}

}  // namespace
}  // namespace fmbym
