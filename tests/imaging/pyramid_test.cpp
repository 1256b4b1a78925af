#include "fmbym/imaging/pyramid.hpp"

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
    const ImagingConfig fine{size, 102.0 / size};
    Pyramid pyramid(fine, 0.9);
    const ImagingConfig coarse = pyramid.coarse();
    EXPECT_EQ(coarse.size % 2, 1);
    EXPECT_LE(coarse.metres_per_pixel, 0.9);
    const Image reduced = pyramid.reduce(world.image({1, -2, 0.3}, fine.size, fine.metres_per_pixel));
    const Image expected = world.image({1, -2, 0.3}, coarse.size, coarse.metres_per_pixel);
    for (int r = 1; r + 1 < coarse.size; ++r)
      for (int c = 1; c + 1 < coarse.size; ++c) ASSERT_NEAR(reduced.at(r, c), expected.at(r, c), 0.05);
  }
}

TEST(Pyramid, KeepsTheMean) {
  Image ones(255, 0.4);
  for (float& v : ones.pixels()) v = 1;
  Pyramid pyramid({255, 0.4}, 1.6);
  for (const float v : pyramid.reduce(ones).pixels()) EXPECT_FLOAT_EQ(v, 1);
}

TEST(Pyramid, GoesAsFarAsThePixelsMayGrow) {
  EXPECT_EQ(Pyramid({127, 0.8}, 0.8).coarse().size, 127);
  EXPECT_EQ(Pyramid({255, 0.4}, 0.8).coarse().size, 127);
  EXPECT_EQ(Pyramid({511, 0.2}, 0.8).coarse().size, 127);
  EXPECT_EQ(Pyramid({17, 0.1}, 100).coarse().size, 17);  // never too small to be an image
  const Image image(127, 0.8);
  Pyramid none({127, 0.8}, 0.8);
  EXPECT_EQ(&none.reduce(image), &image);
}

TEST(Pyramid, RefusesImagesOfAnotherSize) {
  Pyramid pyramid({255, 0.4}, 0.8);
  EXPECT_THROW(pyramid.reduce(Image(127, 0.8)), Error);
}

}  // namespace
}  // namespace fmbym
