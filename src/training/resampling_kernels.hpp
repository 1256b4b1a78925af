// Pooling and stretching of images (batch, row, column, channel), and their gradients.
// Vector code apart from torch; fast_layers.hpp has the layers.
#pragma once

#include <cstdint>

#include "training/convolution_kernels.hpp"

namespace fmbym::training {

// Of the larger images.
struct PooledImages {
  ImagesSize size;
  std::int64_t channels;

  std::int64_t rows() const { return size.rows / 2; }
  std::int64_t columns() const { return size.columns / 2; }
};

// The largest of 2 by 2.
void pool(const PooledImages& images, const float* in, float* out);
// To the first of those that are the largest, zero elsewhere.
void pool_backward(const PooledImages& images, const float* in, const float* gradient, float* out);

// Small images stretched bilinearly to the size of the large ones, then the channels of the large ones.
struct JoinedImages {
  ImagesSize small, large;
  std::int64_t small_channels, large_channels;

  std::int64_t channels() const { return small_channels + large_channels; }
};

void stretch_and_join(const JoinedImages& images, const float* small, const float* large, float* out);
// Into both images.
void stretch_and_join_backward(const JoinedImages& images, const float* gradient, float* small, float* large);

}  // namespace fmbym::training
