// What matchers do with images that determine nothing, and with settings that make no sense.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "fmbym/core/error.hpp"
#include "matcher_cases.hpp"

namespace fmbym {
namespace {

using testing::is_finite;
using testing::kDegree;
using testing::MatcherTest;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class MatcherFailure : public MatcherTest {
 protected:
  void expect_undetermined(const Image& current, const Image& previous) const {
    const Match match = matcher_->match(current, previous);
    EXPECT_FALSE(match.reliable);
    EXPECT_TRUE(is_finite(match));
    // As wide as the search itself: at least 25 m and 15° to either side, uniform.
    EXPECT_GE(std::sqrt(match.covariance[0][0]), 25 / std::sqrt(3.0));
    EXPECT_GE(std::sqrt(match.covariance[1][1]), 25 / std::sqrt(3.0));
    EXPECT_GE(std::sqrt(match.covariance[2][2]), 14 * kDegree / std::sqrt(3.0));
  }
  Image constant(float value) const {
    Image image(size_, metres_per_pixel_);
    for (float& pixel : image.pixels()) pixel = value;
    return image;
  }
};

TEST_P(MatcherFailure, BlankAndConstantImagesDetermineNothing) {
  const Image scene = seen_from({});
  expect_undetermined(constant(0), constant(0));
  expect_undetermined(constant(0.5), constant(0.5));
  expect_undetermined(constant(0), scene);
  expect_undetermined(scene, constant(0));
  expect_undetermined(constant(0.3f), scene);
  expect_undetermined(scene, constant(0.3f));
}

TEST_P(MatcherFailure, ASinglePixelOfNanOrInfinityDeterminesNothing) {
  const Image scene = seen_from({});
  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    for (const int at : {0, size_ / 2, size_ - 1}) {
      Image broken = scene;
      broken.at(at, at) = static_cast<float>(bad);
      expect_undetermined(broken, scene);
      expect_undetermined(scene, broken);
      expect_undetermined(broken, broken);
    }
  }
}

TEST_P(MatcherFailure, IsForgottenByTheNextMatch) {
  const Image current = seen_from({1, 0, 0.05}), previous = seen_from({});
  const Match before = matcher_->match(current, previous);
  matcher_->match(constant(static_cast<float>(kNaN)), previous);
  matcher_->match(previous, constant(static_cast<float>(kNaN)));
  const Match after = matcher_->match(current, previous);
  EXPECT_TRUE(after.reliable);
  EXPECT_EQ(before.T_prev_curr.x, after.T_prev_curr.x);
  EXPECT_EQ(before.T_prev_curr.yaw, after.T_prev_curr.yaw);
}

TEST_P(MatcherFailure, FaintAndGlaringImagesStayFinite) {
  for (const float factor : {1e-30f, 1e-12f, 1e12f, 1e30f}) {
    Image current = seen_from({1, 0, 0.05}), previous = seen_from({});
    for (float& pixel : current.pixels()) pixel *= factor;
    for (float& pixel : previous.pixels()) pixel *= factor;
    const Match match = matcher_->match(current, previous);
    EXPECT_TRUE(is_finite(match)) << factor;
    // Either it is right, or it says that it does not know.
    if (match.reliable) {
      EXPECT_NEAR(match.T_prev_curr.x, 1, metres_per_pixel_) << factor;
      EXPECT_NEAR(match.T_prev_curr.yaw, 0.05, kDegree) << factor;
    }
  }
}

TEST_P(MatcherFailure, EvidenceBeforeTheFirstMatchIsHarmless) {
  const MatchEvidence evidence = matcher_->evidence();
  EXPECT_EQ(evidence.yaw.size(), evidence.yaw_score.size());
  for (const double score : evidence.yaw_score) EXPECT_TRUE(std::isfinite(score));
}

TEST_P(MatcherFailure, RefusesImagesOfAnotherGeometry) {
  const Image right(size_, metres_per_pixel_), small(size_ - 2, metres_per_pixel_),
      fine(size_, metres_per_pixel_ / 2);
  for (const Image& wrong : {small, fine, Image()}) {
    EXPECT_THROW(matcher_->match(wrong, right), Error);
    EXPECT_THROW(matcher_->match(right, wrong), Error);
  }
}

INSTANTIATE_TEST_SUITE_P(All, MatcherFailure, testing::matcher_cases({127}), testing::name_of);

template <class Config>
std::string complaint(const Config& config) {
  try {
    config.validate();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// A copy of the defaults with one member set, and the member's name.
#define WITH(Config, member, value) \
  [] {                              \
    Config c;                       \
    c.member = value;               \
    return c;                       \
  }(),                              \
      #member

template <class Config>
void expect_refused(const Config& config, const std::string& member) {
  EXPECT_NE(complaint(config).find(member), std::string::npos)
      << member << ": \"" << complaint(config) << '"';
}

TEST(FourierConfig, NamesWhatIsWrong) {
  EXPECT_EQ(complaint(FourierConfig{}), "");
  expect_refused(WITH(FourierConfig, angles, 0));
  expect_refused(WITH(FourierConfig, angles, 100000));
  expect_refused(WITH(FourierConfig, radii_per_frequency, 0));
  expect_refused(WITH(FourierConfig, oversampling, 0));
  expect_refused(WITH(FourierConfig, oversampling, 5));
  expect_refused(WITH(FourierConfig, second_look, -0.1));
  expect_refused(WITH(FourierConfig, second_look, 2));
  expect_refused(WITH(FourierConfig, second_look, kNaN));
  expect_refused(WITH(FourierConfig, lags_per_pixel, 0));
  expect_refused(WITH(FourierConfig, lags_per_pixel, 5));
  expect_refused(WITH(FourierConfig, low_cut, -1));
  expect_refused(WITH(FourierConfig, low_cut, kNaN));
  expect_refused(WITH(FourierConfig, high_cut, 0.01));
  expect_refused(WITH(FourierConfig, max_yaw, 0));
  expect_refused(WITH(FourierConfig, max_yaw, 2));
  expect_refused(WITH(FourierConfig, max_yaw, kNaN));
  expect_refused(WITH(FourierConfig, max_translation, -1));
  expect_refused(WITH(FourierConfig, max_translation, kInfinity));
  EXPECT_NE(complaint([] {
              FourierConfig c;
              c.yaw_temperature = 0;
              return c;
            }())
                .find("temperature"),
            std::string::npos);
  EXPECT_NE(complaint([] {
              FourierConfig c;
              c.translation_temperature = -1;
              return c;
            }())
                .find("temperature"),
            std::string::npos);
}

TEST(ExhaustiveConfig, NamesWhatIsWrong) {
  EXPECT_EQ(complaint(ExhaustiveConfig{}), "");
  expect_refused(WITH(ExhaustiveConfig, max_yaw, -0.1));
  expect_refused(WITH(ExhaustiveConfig, max_yaw, 4));
  expect_refused(WITH(ExhaustiveConfig, max_yaw, kNaN));
  expect_refused(WITH(ExhaustiveConfig, yaw_step, 0));
  expect_refused(WITH(ExhaustiveConfig, yaw_step, kNaN));
  expect_refused(WITH(ExhaustiveConfig, temperature, 0));
  expect_refused(WITH(ExhaustiveConfig, temperature, kNaN));
  expect_refused(WITH(ExhaustiveConfig, max_translation, -1));
}

#undef WITH

TEST(Matchers, AreNotMadeOfWrongSettings) {
  FourierConfig fourier;
  fourier.angles = 1;
  EXPECT_THROW(make_fourier_matcher(fourier, 127, 0.8), Error);
  ExhaustiveConfig exhaustive;
  exhaustive.yaw_step = -1;
  EXPECT_THROW(make_exhaustive_matcher(exhaustive, 127, 0.8), Error);
  EXPECT_THROW(make_exhaustive_matcher({}, 127, 0.8, 0), Error);
}

}  // namespace
}  // namespace fmbym
