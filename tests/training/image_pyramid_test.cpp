// Images are reduced as the run time reduces them.
#include "training/image_pyramid.hpp"

#include <gtest/gtest.h>

#include "fmbym/core/pyramid.hpp"
#include "masking/images.hpp"
#include "training/tensors.hpp"

namespace fmbym::training {
namespace {

TEST(ImagePyramid, IsTheRunTimes) {
  for (const double largest_pixel : {0.4, 0.8, 1.6, 3.2})
    for (const int size : {127, 251, 255}) {
      const Image image = testing::noise(size, 3);
      const ImagingConfig fine{size, image.metres_per_pixel()};
      Pyramid expected(fine.size, fine.metres_per_pixel, largest_pixel);
      const ImagePyramid found(fine, largest_pixel);
      ASSERT_EQ(found.coarse().size, expected.size());
      EXPECT_EQ(found.coarse().metres_per_pixel, expected.metres_per_pixel());
      const torch::Tensor reduced = found.reduce(testing::as_tensor(image).unsqueeze(0))[0];
      EXPECT_LT((reduced - testing::as_tensor(expected.reduce(image))).abs().max().item<float>(), 1e-6);
    }
}

}  // namespace
}  // namespace fmbym::training
