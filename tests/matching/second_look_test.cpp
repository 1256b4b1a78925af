// The second look at a rotation: no word where the images agree, and the last word where they do not.
#include "matching/second_look.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fmbym/matching/fourier.hpp"
#include "support/synthetic_world.hpp"

namespace fmbym {
namespace {

constexpr int kSize = 127;
constexpr double kPixel = 0.8;  // [m]
constexpr double kDegree = std::numbers::pi / 180;
constexpr double kStep = 2 * kDegree;
const SE2 kMotion{2.1, 0.2, 3 * kDegree};

Image seen_from(const SE2& pose) {
  return testing::SyntheticWorld::make().image(pose, kSize, kPixel);
}

class SecondLookTest : public ::testing::Test {
 protected:
  Agreement climb(const Image& current, double yaw) {
    look_.set_images(current, previous_);
    return look_.climb(yaw);
  }

  const Image previous_ = seen_from({});
  SecondLook look_{{.max_yaw = 30 * kDegree, .second_look = kStep}, kSize, kPixel};
};

TEST_F(SecondLookTest, KeepsARotationTheImagesAgreeWith) {
  const Image current = seen_from(kMotion);
  for (const double off : {-0.5, 0.0, 0.5})
    EXPECT_EQ(climb(current, kMotion.yaw + off * kDegree).yaw, kMotion.yaw + off * kDegree);
}

TEST_F(SecondLookTest, ClimbsToTheRotationTheImagesHave) {
  const Image current = seen_from(kMotion);
  for (const double off : {-7.0, -3.0, 2.0, 6.0}) {
    const Agreement found = climb(current, kMotion.yaw + off * kDegree);
    EXPECT_NEAR(found.yaw, kMotion.yaw, 0.2 * kStep) << off;  // a parabola through samples a step apart
    EXPECT_GT(found.correlation, 0.8) << off;  // a degree off at most, which blurs what is far away
  }
}

TEST_F(SecondLookTest, FindsTheRotationAmongAll) {
  const Image current = seen_from({2.1, 0.2, -21 * kDegree});
  look_.set_images(current, previous_);
  EXPECT_NEAR(look_.search().yaw, -21 * kDegree, 0.2 * kStep);
}

TEST_F(SecondLookTest, StaysWhereNothingIsToBeSeen) {
  EXPECT_EQ(climb(Image(kSize, kPixel), kMotion.yaw).yaw, kMotion.yaw);
}

TEST_F(SecondLookTest, GoesNoFartherThanTheSearch) {
  const Image current = seen_from({0, 0, 45 * kDegree});
  EXPECT_LT(climb(current, 29 * kDegree).yaw, 35 * kDegree);
}

// Stripes 3 m apart within a disc, across a heading: little power, but all of it at one frequency.
void add_stripes(Vec2 middle, double heading, Image& image) {
  constexpr double radius = 18, spacing = 3, strength = 0.12;
  for (int r = 0; r < kSize; ++r) {
    for (int c = 0; c < kSize; ++c) {
      const Vec2 from_middle{(kSize / 2 - r) * kPixel - middle.x, (c - kSize / 2) * kPixel - middle.y};
      if (std::hypot(from_middle.x, from_middle.y) > radius) continue;
      const double phase = 2 * std::numbers::pi * rotate(-heading, from_middle).x / spacing;
      image.at(r, c) += static_cast<float>(strength * (1 + std::cos(phase)));
    }
  }
}

// The stripes turn the other way and are elsewhere: the magnitudes of the spectra follow them, the images
// show that most things do not.
TEST(FourierMatcher, LooksASecondTimeWhereTheSpectraAreMisled) {
  Image current = seen_from(kMotion), previous = seen_from({});
  add_stripes({8, -12}, 30 * kDegree, current);
  add_stripes({-9, 10}, 22 * kDegree, previous);
  const auto yaw_with = [&](double second_look) {
    FourierConfig config;
    config.low_cut = 0.3;
    config.max_yaw = 30 * kDegree;
    config.second_look = second_look;
    return make_fourier_matcher(config, kSize, kPixel)->match(current, previous).T_prev_curr.yaw;
  };
  EXPECT_NEAR(yaw_with(0), -8 * kDegree, kDegree);  // as the stripes turned, but for the rest of the world
  EXPECT_NEAR(yaw_with(kStep), kMotion.yaw, 0.2 * kStep);
}

TEST(FourierMatcher, IsTheSameWithASecondLookWhereTheSpectraAreRight) {
  FourierConfig once, twice;
  twice.second_look = kStep;
  const auto a = make_fourier_matcher(once, kSize, kPixel), b = make_fourier_matcher(twice, kSize, kPixel);
  for (const double yaw : {-9.0, -2.5, 0.0, 0.3, 6.0}) {
    const Image current = seen_from({1.7, -0.3, yaw * kDegree}), previous = seen_from({});
    const Match first = a->match(current, previous), second = b->match(current, previous);
    EXPECT_EQ(first.T_prev_curr.x, second.T_prev_curr.x);
    EXPECT_EQ(first.T_prev_curr.y, second.T_prev_curr.y);
    EXPECT_EQ(first.T_prev_curr.yaw, second.T_prev_curr.yaw);
    EXPECT_EQ(first.covariance, second.covariance);
  }
}

}  // namespace
}  // namespace fmbym
