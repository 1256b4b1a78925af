#include "matching/rotate_image.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "support/synthetic_world.hpp"

namespace fmbym {
namespace {

constexpr double kPi = std::numbers::pi;

Image noise(int size) {
  Image image(size, 1);
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(0, 1);
  for (float& pixel : image.pixels()) pixel = uniform(random);
  return image;
}

Image rotated(const Image& image, double yaw) {
  Image out(image.size(), image.metres_per_pixel());
  rotate_image(image, yaw, out.pixels().data(), image.size());
  return out;
}

// image(R(yaw) p) for the pixel's place p = (x up, y right); negative where that lies outside by more than a
// hair, as both answers are right on the very edge.
double reference_pixel(const Image& image, double yaw, int r, int c) {
  const int n = image.size(), middle = n / 2;
  const Vec2 source = rotate(yaw, {double(middle - r), double(c - middle)});
  const double row = middle - source.x, column = middle + source.y;
  const double outside = std::max({-row, -column, row - (n - 1), column - (n - 1)});
  if (outside > 0) return outside < 1e-3 ? -1 : 0;
  const int i = std::min(int(row), n - 2), j = std::min(int(column), n - 2);
  const double v = row - i, u = column - j;
  return (1 - v) * ((1 - u) * image.at(i, j) + u * image.at(i, j + 1)) +
         v * ((1 - u) * image.at(i + 1, j) + u * image.at(i + 1, j + 1));
}

TEST(RotateImage, ByNothingIsTheImage) {
  const Image image = noise(15);
  const Image turned = rotated(image, 0);
  // The last row and column are reached as a + (b - a), which may round.
  for (std::size_t i = 0; i < image.pixels().size(); ++i)
    EXPECT_NEAR(turned.pixels()[i], image.pixels()[i], 1e-7);
}

TEST(RotateImage, EqualsTheReference) {
  for (const int size : {15, 64, 127}) {
    const Image image = noise(size);
    for (const double yaw : {0.001, 0.1, -0.1, kPi / 4, 1.0, -1.5, 2.0, 3.0, -3.1}) {
      const Image turned = rotated(image, yaw);
      for (int r = 0; r < size; ++r) {
        for (int c = 0; c < size; ++c) {
          const double expected = reference_pixel(image, yaw, r, c);
          // Coordinates up to 127 in float are good to 1e-5 of a pixel, and noise changes by up to 1 a pixel.
          if (expected >= 0) {
            ASSERT_NEAR(turned.at(r, c), expected, 5e-5) << size << ' ' << yaw << ' ' << r << ' ' << c;
          }
        }
      }
    }
  }
}

// The pixels stay whole, on the edges too. Float coordinates may miss them by 1e-5 of a pixel.
TEST(RotateImage, QuarterTurnsOnlyMovePixels) {
  for (const int size : {15, 63, 127, 255}) {
    SCOPED_TRACE(size);
    const Image image = noise(size);
    const Image quarter = rotated(image, kPi / 2), half = rotated(image, kPi),
                back = rotated(image, -kPi / 2);
    const int end = size - 1;
    int wrong = 0;
    for (int r = 0; r < size; ++r) {
      for (int c = 0; c < size; ++c) {
        // What was on the right is seen ahead after turning by a quarter to the right.
        wrong += std::abs(quarter.at(r, c) - image.at(c, end - r)) > 5e-5f;
        wrong += std::abs(back.at(r, c) - image.at(end - c, r)) > 5e-5f;
        wrong += std::abs(half.at(r, c) - image.at(end - r, end - c)) > 5e-5f;
      }
    }
    EXPECT_EQ(wrong, 0);
  }
}

TEST(RotateImage, PositiveYawBringsTheRightSideAhead) {
  Image image(31, 1);
  image.at(15, 25) = 1;  // on the right
  EXPECT_NEAR(rotated(image, kPi / 2).at(5, 15), 1, 1e-4);
}

TEST(RotateImage, ThereAndBackIsNearlyTheImage) {
  const testing::SyntheticWorld world = testing::SyntheticWorld::make(30, 3);
  const Image image = world.image({}, 101, 1);
  const float peak = *std::max_element(image.pixels().begin(), image.pixels().end());
  for (const double yaw : {0.05, 0.3, -0.7}) {
    const Image back = rotated(rotated(image, yaw), -yaw);
    for (int r = 0; r < 101; ++r) {
      for (int c = 0; c < 101; ++c) {
        if (std::hypot(r - 50, c - 50) > 48) continue;  // the corners were turned out of the image
        // Each time bilinear interpolation errs by at most (1/8)(f_xx + f_yy) = 1/(4σ²) of a peak: 1/36 at 3
        // pixels.
        ASSERT_NEAR(back.at(r, c), image.at(r, c), 2 * peak / 36);
      }
    }
  }
}

TEST(RotateImage, RendersWhatATurnedSensorSees) {
  const testing::SyntheticWorld world = testing::SyntheticWorld::make(30, 3);
  const Image image = world.image({}, 101, 1);
  const float peak = *std::max_element(image.pixels().begin(), image.pixels().end());
  const Image turned = rotated(image, 0.3), seen = world.image({0, 0, 0.3}, 101, 1);
  for (int r = 0; r < 101; ++r) {
    for (int c = 0; c < 101; ++c) {
      if (std::hypot(r - 50, c - 50) < 49) {
        ASSERT_NEAR(turned.at(r, c), seen.at(r, c), peak / 36);  // as above
      }
    }
  }
}

TEST(RotateImage, WritesOnlyItsOwnColumns) {
  const Image image = noise(15);
  constexpr int stride = 20;
  std::vector<float> out(15 * stride, -7);
  rotate_image(image, 0.4, out.data(), stride);
  for (int r = 0; r < 15; ++r)
    for (int c = 0; c < stride; ++c)
      EXPECT_EQ(out[std::size_t(r * stride + c)] == -7, c >= 15) << r << ' ' << c;
}

// Many angles, so that rounding falls to either side of the edges: the address sanitizer sees a read beyond
// them.
TEST(RotateImage, ReadsNothingOutside) {
  for (const int size : {15, 16, 127}) {
    const Image image = noise(size);
    float highest = 0, lowest = 1;
    for (int i = -200; i <= 200; ++i) {
      const Image turned = rotated(image, i * kPi / 200);
      for (const float v : turned.pixels()) {
        highest = std::max(highest, v);
        lowest = std::min(lowest, v);
      }
    }
    EXPECT_LE(highest, 1.001f);  // an average of pixels from 0 to 1
    EXPECT_GE(lowest, -0.001f);
  }
}

}  // namespace
}  // namespace fmbym
