#include "training/image_pyramid.hpp"

#include <algorithm>

#include "fmbym/core/pyramid.hpp"
#include "training/smoothing.hpp"

namespace fmbym::training {
namespace {

// Smoothed, every other pixel: (batch, n, n) → (batch, size, size).
torch::Tensor halved(const torch::Tensor& fine, std::int64_t size) {
  const std::int64_t first = fine.size(-1) / 2 - 2 * (size / 2) - 1, end = first + 2 * size - 1;
  return binomial_mean(fine).slice(1, first, end, 2).slice(2, first, end, 2);
}

}  // namespace

// The run time's pyramid, a level at a time, says how large they are.
ImagePyramid::ImagePyramid(const ImagingConfig& fine, double largest_pixel) : levels_{fine} {
  const auto next = [&](const ImagingConfig& level) {
    const Pyramid pyramid(level.size, level.metres_per_pixel,
                          std::min(2 * level.metres_per_pixel, largest_pixel));
    return ImagingConfig{pyramid.size(), pyramid.metres_per_pixel()};
  };
  while (next(coarse()).size < coarse().size) levels_.push_back(next(coarse()));
}

torch::Tensor ImagePyramid::reduce(torch::Tensor images) const {
  for (std::size_t i = 1; i < levels_.size(); ++i) images = halved(images, levels_[i].size);
  return images;
}

}  // namespace fmbym::training
