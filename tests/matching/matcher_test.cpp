// The whole matchers, on a world where the motion is known exactly.
#include "fmbym/matching/matcher.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "matcher_cases.hpp"

namespace fmbym {
namespace {

using testing::kDegree;
using testing::MatcherTest;

const std::vector<SE2> kMotions = {
    {0.4, 0, 0},
    {2.1, 0.17, 0.02},
    {-3.3, 1.2, -0.05},
    {5.3, -2.9, 10 * kDegree},
    {8, 0.55, -10 * kDegree},
    {-1.5, -7.7, 4.3 * kDegree},
    {0, 0, 7 * kDegree},
};
const SE2 kPrevious{0.7, -0.4, 0.1};  // the pose of the previous scan in the world: not on its axes

class MatcherMotion : public MatcherTest {
 protected:
  // Bilinear rotation and a parabola over samples of the peak are off by some hundredths of a pixel. A soft
  // arg-max at 1 % sees no more than the one or two highest cells of these sharp peaks: half a pixel. The
  // shift the exhaustive search finds is that of a candidate up to a quarter of a degree off.
  double metres() const {
    if (soft()) return 0.5 * metres_per_pixel_;
    return config_.method == Method::raw ? 0.06 : 0.03;
  }
  // The exhaustive search has candidates half a degree apart, of which a soft arg-max may see only one. The
  // paper's radial sums blur the angles, and the square Hann window does not turn with the world.
  double radians() const {
    if (config_.method == Method::raw) return 0.25 * kDegree;
    return (config_.preset == Preset::paper ? 0.4 : 0.05) * kDegree;
  }

  void expect_near(const SE2& actual, const SE2& expected, int matches = 1) const {
    EXPECT_NEAR(actual.x, expected.x, matches * metres());
    EXPECT_NEAR(actual.y, expected.y, matches * metres());
    EXPECT_NEAR(actual.yaw, expected.yaw, matches * radians());
  }
  Match match(const SE2& T_prev_curr) const {
    return matcher_->match(seen_from(kPrevious * T_prev_curr), seen_from(kPrevious));
  }
};

TEST_P(MatcherMotion, IsRecovered) {
  for (const SE2& T_prev_curr : kMotions) {
    SCOPED_TRACE(::testing::Message() << T_prev_curr.x << ' ' << T_prev_curr.y << ' ' << T_prev_curr.yaw);
    const Match result = match(T_prev_curr);
    expect_near(result.T_prev_curr, T_prev_curr);
    EXPECT_TRUE(result.reliable);
    EXPECT_GT(result.correlation, 0.9);  // the same things in both, but for resampling
    EXPECT_LE(result.correlation, 1.0001);
  }
}

TEST_P(MatcherMotion, OfSwappedImagesIsTheInverse) {
  for (const SE2& T_prev_curr : {kMotions[1], kMotions[3]}) {
    const Image current = seen_from(kPrevious * T_prev_curr), previous = seen_from(kPrevious);
    const SE2 there = matcher_->match(current, previous).T_prev_curr;
    const SE2 back = matcher_->match(previous, current).T_prev_curr;
    expect_near(there * back, {}, 2);
  }
}

TEST_P(MatcherMotion, OfIdenticalImagesIsNone) {
  const Match result = match({});
  EXPECT_NEAR(result.T_prev_curr.x, 0,
              1e-3);  // a peak that is symmetric up to float rounding and other peaks' tails
  EXPECT_NEAR(result.T_prev_curr.y, 0, 1e-3);
  EXPECT_NEAR(result.T_prev_curr.yaw, 0, 1e-5);
  EXPECT_NEAR(result.correlation, 1, 1e-5);  // energies of 65 000 pixels, if summed with care
  EXPECT_TRUE(result.reliable);
}

TEST_P(MatcherMotion, DoesNotDependOnBrightness) {
  const SE2 T_prev_curr = kMotions[3];
  const Image previous = seen_from(kPrevious);
  const SE2 plain = match(T_prev_curr).T_prev_curr;
  for (const float factor : {0.01f, 50.f}) {
    Image current = seen_from(kPrevious * T_prev_curr);
    for (float& pixel : current.pixels()) pixel *= factor;
    const SE2 scaled = matcher_->match(current, previous).T_prev_curr;
    EXPECT_NEAR(scaled.x, plain.x, 1e-3);  // float rounding of scores (1e-6) over a curvature of 1e-2 a pixel
    EXPECT_NEAR(scaled.y, plain.y, 1e-3);
    EXPECT_NEAR(scaled.yaw, plain.yaw, 1e-5);
  }
}

TEST_P(MatcherMotion, DoesNotDependOnWhatWasMatchedBefore) {
  const Match first = match(kMotions[3]);
  match(kMotions[5]);
  const Match again = match(kMotions[3]);
  EXPECT_EQ(first.T_prev_curr.x, again.T_prev_curr.x);
  EXPECT_EQ(first.T_prev_curr.y, again.T_prev_curr.y);
  EXPECT_EQ(first.T_prev_curr.yaw, again.T_prev_curr.yaw);
  EXPECT_EQ(first.covariance, again.covariance);
}

TEST_P(MatcherMotion, HasASymmetricPositiveDefiniteCovariance) {
  for (const SE2& T_prev_curr : {kMotions[1], kMotions[3], kMotions[5]}) {
    const Covariance3 c = match(T_prev_curr).covariance;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(c[i][j], c[j][i]);
    const double minor = c[0][0] * c[1][1] - c[0][1] * c[1][0];
    const double determinant = c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) -
                               c[0][1] * (c[1][0] * c[2][2] - c[1][2] * c[2][0]) +
                               c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0]);
    EXPECT_GT(c[0][0], 0);
    EXPECT_GT(minor, 0);
    EXPECT_GT(determinant, 0);
    // A distinct peak is known to a pixel and to two degrees.
    EXPECT_LT(std::sqrt(std::max(c[0][0], c[1][1])), metres_per_pixel_);
    EXPECT_LT(std::sqrt(c[2][2]), 2 * kDegree);
  }
}

TEST_P(MatcherMotion, EvidencePeaksWhereTheMatchIs) {
  const SE2 T_prev_curr = kMotions[3];
  match(T_prev_curr);
  const MatchEvidence evidence = matcher_->evidence();
  ASSERT_EQ(evidence.yaw.size(), evidence.yaw_score.size());
  const auto best =
      std::max_element(evidence.yaw_score.begin(), evidence.yaw_score.end()) - evidence.yaw_score.begin();
  EXPECT_NEAR(evidence.yaw[static_cast<std::size_t>(best)], T_prev_curr.yaw,
              0.6 * kDegree);  // a candidate or so
  ASSERT_EQ(evidence.translation.size(), std::size_t(evidence.side * evidence.side));
  const auto cell =
      static_cast<int>(std::max_element(evidence.translation.begin(), evidence.translation.end()) -
                       evidence.translation.begin());
  const Vec2 shift = rotate(-T_prev_curr.yaw, {T_prev_curr.x, T_prev_curr.y});  // of the turned image
  const int middle = evidence.side / 2;
  EXPECT_NEAR((middle - cell / evidence.side) * evidence.metres_per_cell, shift.x, evidence.metres_per_cell);
  EXPECT_NEAR((cell % evidence.side - middle) * evidence.metres_per_cell, shift.y, evidence.metres_per_cell);
  EXPECT_NEAR(evidence.shift.x, shift.x, 1.5 * metres() + radians() * 8);
  EXPECT_NEAR(evidence.shift.y, shift.y, 1.5 * metres() + radians() * 8);
}

INSTANTIATE_TEST_SUITE_P(All, MatcherMotion, testing::matcher_cases({127, 255}), testing::name_of);

TEST(ExhaustiveMatcher, GivesTheSameWithAnyNumberOfThreads) {
  const auto world = testing::SyntheticWorld::make();
  for (const Preset preset : {Preset::paper, Preset::standard}) {
    OdometryConfig config = make_config(Method::raw, preset, 127);
    std::vector<Match> matches;
    for (const int threads : {1, 2, 3, 200}) {  // more threads than candidates, too
      config.threads = threads;
      matches.push_back(
          make_matcher(config)->match(world.image(kMotions[3], 127, 0.8), world.image({}, 127, 0.8)));
    }
    for (const Match& match : matches) {
      EXPECT_NEAR(match.T_prev_curr.x, matches[0].T_prev_curr.x, 1e-12);
      EXPECT_NEAR(match.T_prev_curr.y, matches[0].T_prev_curr.y, 1e-12);
      EXPECT_NEAR(match.T_prev_curr.yaw, matches[0].T_prev_curr.yaw, 1e-12);
      EXPECT_NEAR(match.covariance[0][1], matches[0].covariance[0][1], 1e-12);
      EXPECT_NEAR(match.translation_peak_ratio, matches[0].translation_peak_ratio, 1e-12);
    }
  }
}

// Where half the world changed, the decoupled and the exhaustive search still agree.
TEST(Matchers, AgreeWithEachOther) {
  const auto world = testing::SyntheticWorld::make(), other = testing::SyntheticWorld::make(36, 0.8, 7);
  Image current = world.image(kMotions[2], 127, 0.8);
  const Image clutter = other.image({}, 127, 0.8);
  for (std::size_t i = 0; i < clutter.pixels().size(); ++i) current.pixels()[i] += 0.3f * clutter.pixels()[i];
  std::vector<SE2> motions;
  for (const Method method : {Method::raw, Method::f_raw})
    motions.push_back(make_matcher(make_config(method, Preset::standard, 127))
                          ->match(current, world.image({}, 127, 0.8))
                          .T_prev_curr);
  EXPECT_NEAR(motions[0].x, motions[1].x,
              0.4);  // half a pixel, for the soft arg-max of the exhaustive search
  EXPECT_NEAR(motions[0].y, motions[1].y, 0.4);
  EXPECT_NEAR(motions[0].yaw, motions[1].yaw, 0.25 * kDegree);  // half a candidate of the exhaustive search
}

// The mean of candidates a pixel apart is drawn to the nearest one where the peak is narrow.
TEST(FourierMatcher, WithFinerLagsIsNotDrawnToWholePixels) {
  constexpr int size = 127;
  constexpr double pixel = 0.8;
  const auto world = testing::SyntheticWorld::make(36, 0.7);
  const auto worst_error = [&](int lags_per_pixel) {
    FourierConfig config;
    config.translation_temperature = 2;
    config.lags_per_pixel = lags_per_pixel;
    const auto matcher = make_fourier_matcher(config, size, pixel);
    double worst = 0;
    for (const double part : {-0.4, -0.2, 0.2, 0.4}) {
      const double x = (3 + part) * pixel;
      const Match found = matcher->match(world.image({x, 0, 0}, size, pixel), world.image({}, size, pixel));
      worst = std::max(worst, std::abs(found.T_prev_curr.x - x) / pixel);
    }
    return worst;
  };
  EXPECT_GT(worst_error(1), 0.1);
  EXPECT_LT(worst_error(2), 0.03);  // twice what it is in this world, 0.016
}

}  // namespace
}  // namespace fmbym
