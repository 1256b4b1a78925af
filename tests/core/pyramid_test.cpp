#include "fmbym/core/pyramid.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fmbym/core/error.hpp"
#include "support/synthetic_world.hpp"

namespace fmbym {
namespace {

using testing::SyntheticWorld;

TEST(Pyramid, ShowsTheSameWorldInLargerPixels) {
  const SyntheticWorld world = SyntheticWorld::make(30, 2.5);
  for (const int size : {255, 253, 511, 201}) {
    const double pixel = 102.0 / size;
    Pyramid pyramid(size, pixel, 0.9);
    EXPECT_EQ(pyramid.size() % 2, 1);
    EXPECT_LE(pyramid.metres_per_pixel(), 0.9);
    const Image reduced = pyramid.reduce(world.image({1, -2, 0.3}, size, pixel));
    const Image expected = world.image({1, -2, 0.3}, pyramid.size(), pyramid.metres_per_pixel());
    ASSERT_TRUE(reduced.same_geometry(expected));
    for (int r = 1; r + 1 < expected.size(); ++r)
      for (int c = 1; c + 1 < expected.size(); ++c) ASSERT_NEAR(reduced.at(r, c), expected.at(r, c), 0.05);
  }
}

TEST(Pyramid, KeepsTheMean) {
  Image ones(255, 0.4);
  for (float& v : ones.pixels()) v = 1;
  Pyramid pyramid(255, 0.4, 1.6);
  for (const float v : pyramid.reduce(ones).pixels()) EXPECT_FLOAT_EQ(v, 1);
}

TEST(Pyramid, GoesAsFarAsThePixelsMayGrow) {
  EXPECT_EQ(Pyramid(127, 0.8, 0.8).size(), 127);
  EXPECT_EQ(Pyramid(255, 0.4, 0.8).size(), 127);
  EXPECT_EQ(Pyramid(511, 0.2, 0.8).size(), 127);
  EXPECT_EQ(Pyramid(17, 0.1, 100).size(), 17);  // never too small to be an image
  const Image image(127, 0.8);
  Pyramid none(127, 0.8, 0.8);
  EXPECT_EQ(&none.reduce(image), &image);
}

TEST(Pyramid, RefusesImagesOfAnotherSize) {
  Pyramid pyramid(255, 0.4, 0.8);
  EXPECT_THROW(pyramid.reduce(Image(127, 0.8)), Error);
}

}  // namespace
}  // namespace fmbym
