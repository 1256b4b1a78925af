// The climb finds known motions of any fraction of a pixel, in a synthetic world and of real scans.
#include "fmbym/matching/refinement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fmbym/datasets/dataset.hpp"
#include "fmbym/imaging/cartesian_imager.hpp"
#include "fmbym/imaging/plain_mask.hpp"
#include "support/real_data.hpp"
#include "support/synthetic_world.hpp"

namespace fmbym {
namespace {

using testing::SyntheticWorld;

constexpr double kDegree = std::numbers::pi / 180;
constexpr int kSize = 127;
constexpr double kPixel = 0.8;

void expect_near(const SE2& found, const SE2& expected, double metres, double radians) {
  EXPECT_NEAR(found.x, expected.x, metres);
  EXPECT_NEAR(found.y, expected.y, metres);
  EXPECT_NEAR(wrap_angle(found.yaw - expected.yaw), 0, radians);
}

TEST(Refinement, FindsAnyFractionOfAPixel) {
  const SyntheticWorld world = SyntheticWorld::make(36, 1.2);
  const Image previous = world.image({}, kSize, kPixel);
  Refinement refinement(kSize, kPixel);
  for (const double x : {0.0, 0.13, 0.25, 0.5, 0.77})
    for (const double yaw : {0.0, 0.11, -0.37, 0.9}) {
      const SE2 motion{x * kPixel, -0.6 * x * kPixel, yaw * kDegree};
      const Image current = world.image(motion, kSize, kPixel);
      refinement.set_previous(previous);
      refinement.set_current(current);
      const Refined refined = refinement.climb({});
      expect_near(refined.T_prev_curr, motion, 0.02 * kPixel, 0.02 * kDegree);
      EXPECT_GT(refined.correlation, 0.95);
    }
}

TEST(Refinement, ComesFromAPixelAndADegreeAway) {
  const SyntheticWorld world = SyntheticWorld::make(36, 1.2);
  const SE2 motion{1.5, -0.4, 0.05};
  const Image previous = world.image({}, kSize, kPixel), current = world.image(motion, kSize, kPixel);
  Refinement refinement(kSize, kPixel);
  refinement.set_previous(previous);
  refinement.set_current(current);
  for (const SE2& off :
       {SE2{kPixel, 0, 0}, SE2{-kPixel, kPixel, 0}, SE2{0, 0, kDegree}, SE2{0.5, 0.5, -kDegree}})
    expect_near(refinement.climb(motion * off).T_prev_curr, motion, 0.01 * kPixel, 0.01 * kDegree);
}

TEST(Refinement, NeverEndsBelowItsStart) {
  const SyntheticWorld world = SyntheticWorld::make(36, 0.8);
  const Image previous = world.image({}, kSize, kPixel), current = world.image({5, 3, 0.4}, kSize, kPixel);
  Refinement refinement(kSize, kPixel);
  refinement.set_previous(previous);
  refinement.set_current(current);
  for (double x = -8; x <= 8; x += 1.7)
    for (double yaw = -0.6; yaw < 0.6; yaw += 0.17) {
      const SE2 start{x, 0.5 * x, yaw};
      const Refined refined = refinement.climb(start);
      EXPECT_GE(refined.correlation, refinement.correlation(start) - 1e-12);
      EXPECT_NEAR(refined.correlation, refinement.correlation(refined.T_prev_curr), 1e-12);
    }
}

// The curvature is that of the image with itself: a parabola through the correlation says the same.
TEST(Refinement, CurvatureIsThatOfTheCorrelation) {
  const SyntheticWorld world = SyntheticWorld::make(36, 1.6);
  const Image image = world.image({}, kSize, kPixel);
  Refinement refinement(kSize, kPixel);
  refinement.set_previous(image);
  refinement.set_current(image);
  const Refined refined = refinement.climb({});
  const auto second = [&](const SE2& plus, const SE2& minus, double step) {
    return (2 * refinement.correlation({}) - refinement.correlation(plus) - refinement.correlation(minus)) /
           (step * step);
  };
  const double metre = 0.4, radian = 0.5 * kDegree;
  EXPECT_NEAR(refined.curvature[0][0] / second({metre, 0, 0}, {-metre, 0, 0}, metre), 1, 0.2);
  EXPECT_NEAR(refined.curvature[1][1] / second({0, metre, 0}, {0, -metre, 0}, metre), 1, 0.2);
  EXPECT_NEAR(refined.curvature[2][2] / second({0, 0, radian}, {0, 0, -radian}, radian), 1, 0.2);
}

TEST(Refinement, OfBlankImagesStaysWhereItIs) {
  const Image blank(kSize, kPixel), seen = SyntheticWorld::make().image({}, kSize, kPixel);
  Refinement refinement(kSize, kPixel);
  for (const auto& [current, previous] : {std::pair{&blank, &blank}, {&seen, &blank}, {&blank, &seen}}) {
    refinement.set_previous(*previous);
    refinement.set_current(*current);
    const Refined refined = refinement.climb({1, 2, 0.1});
    expect_near(refined.T_prev_curr, {1, 2, 0.1}, 0, 0);
    EXPECT_EQ(refined.correlation, 0);
  }
}

// A real scan turned by its azimuths, and shifted by whole pixels of a finer image that are fractions of a
// coarse one: no interpolation knows the answer. Noise is shared by the two images, which makes it the worst
// case for a pull towards pixels.
class RealImage {
 public:
  RealImage() {
    const auto dataset = open_dataset(testing::real_data("oxford-tiny"));
    scan_ = dataset->read(0);
  }

  // As seen after a turn by yaw, and then a shift by whole fine pixels: T_prev_curr.
  Image seen(double yaw, int forward, int right) const {
    PolarScan turned = scan_;
    for (double& azimuth : turned.azimuth) azimuth -= yaw;
    CartesianImager imager({kFine * kSize | 1, kPixel / kFine});
    imager.load(turned);
    PlainMask({}).apply(imager.profile());
    const Image fine = imager.form(Twist2{});
    Image coarse(kSize, kPixel);
    const int middle = fine.size() / 2;
    for (int r = 0; r < kSize; ++r)
      for (int c = 0; c < kSize; ++c) {
        float sum = 0;
        for (int i = -kFine / 2; i <= kFine / 2; ++i)
          for (int k = -kFine / 2; k <= kFine / 2; ++k)
            sum += pixel(fine, middle + (r - kSize / 2) * kFine + i - forward,
                         middle + (c - kSize / 2) * kFine + k + right);
        coarse.at(r, c) = sum / (kFine * kFine);
      }
    return coarse;
  }

  static constexpr int kFine = 5;  // fine pixels a coarse one

 private:
  static float pixel(const Image& image, int r, int c) {
    return r >= 0 && c >= 0 && r < image.size() && c < image.size() ? image.at(r, c) : 0;
  }

  PolarScan scan_;
};

TEST(Refinement, IsNotBiasedOnRealScans) {
  FMBYM_NEEDS_REAL_DATA("oxford-tiny");
  const RealImage real;
  const Image previous = real.seen(0, 0, 0);
  Refinement refinement(kSize, kPixel);
  double bias_x = 0, bias_y = 0, bias_yaw = 0;
  int count = 0;
  for (const double degrees : {0.0, 0.3, -0.45})
    for (const int forward : {0, 1, 2, 3, 4}) {
      const int right = (2 * forward) % RealImage::kFine;
      const double yaw = degrees * kDegree;
      const double fine = kPixel / RealImage::kFine;
      const Vec2 t = rotate(yaw, {forward * fine, right * fine});
      const SE2 motion{t.x, t.y, yaw};
      const Image current = real.seen(yaw, forward, right);
      refinement.set_previous(previous);
      refinement.set_current(current);
      const SE2 found = refinement.climb({}).T_prev_curr;
      // Each pixel pulls a little; the plain mask leaves few, whose pulls are 0.096 pixel together at most.
      expect_near(found, motion, 0.1 * kPixel, 0.12 * kDegree);
      // Outwards is positive: a pull towards no motion would show here.
      bias_x += found.x - motion.x;
      bias_y += found.y - motion.y;
      bias_yaw += (found.yaw - motion.yaw) * (yaw > 0 ? 1 : -1);
      ++count;
    }
  EXPECT_NEAR(bias_x / count, 0, 0.02 * kPixel);
  EXPECT_NEAR(bias_y / count, 0, 0.02 * kPixel);
  EXPECT_NEAR(bias_yaw / count, 0, 0.015 * kDegree);
}

}  // namespace
}  // namespace fmbym
