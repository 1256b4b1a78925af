// Images with their channels side by side, as the vector code takes them: (batch, row, column, channel).
#pragma once

#include <torch/types.h>

#include <cstdint>

#include "training/convolution_kernels.hpp"

namespace fmbym::training {

// Whether the vector code is made for it.
inline bool is_fast(const torch::Tensor& images) {
  return images.device().is_cpu() && images.scalar_type() == torch::kFloat && images.dim() == 4;
}

// Whether its channels fill vectors of any processor, so that none is left over.
inline bool fills_vectors(const torch::Tensor& images) {
  return images.size(1) % 8 == 0;
}

inline torch::Tensor channels_last(const torch::Tensor& images) {
  return images.contiguous(at::MemoryFormat::ChannelsLast);
}

inline ImagesSize size_of(const torch::Tensor& images) {
  return {images.size(0), images.size(2), images.size(3)};
}

// (batch, channel, row, column) in sizes, as torch counts them.
inline torch::Tensor empty_images(at::IntArrayRef sizes) {
  return at::empty(sizes, at::TensorOptions().dtype(at::kFloat), at::MemoryFormat::ChannelsLast);
}
inline torch::Tensor empty_images(std::int64_t batch, std::int64_t channels, std::int64_t rows,
                                  std::int64_t columns) {
  return empty_images({batch, channels, rows, columns});
}
inline torch::Tensor empty_images_like(const torch::Tensor& images) {
  return empty_images(images.sizes());
}

}  // namespace fmbym::training
