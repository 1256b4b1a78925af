#include "training/image_rotation.hpp"

namespace fmbym::training {
namespace {

torch::Tensor places_seen(const torch::Tensor& yaw, std::int64_t size) {
  const torch::Tensor c = yaw.cos().view({-1, 1, 1}), s = yaw.sin().view({-1, 1, 1});
  const torch::Tensor column = torch::linspace(-1, 1, size, yaw.options()), row = column.unsqueeze(1);
  return torch::stack({c * column - s * row, s * column + c * row}, 3);
}

// Zeros begin right beyond the outermost pixels, where torch would still fade towards them. Rounding may
// exceed them by a hair.
torch::Tensor is_inside(const torch::Tensor& places) {
  constexpr double rounding = 1e-6;
  const torch::Tensor away = places.detach().abs();
  return torch::maximum(away.select(-1, 0), away.select(-1, 1)) <= 1 + rounding;
}

}  // namespace

ImageRotation::ImageRotation(const torch::Tensor& yaw, std::int64_t size)
    : places_(places_seen(yaw, size)), inside_(is_inside(places_)) {}

torch::Tensor ImageRotation::operator()(const torch::Tensor& images) const {
  if (images.dim() == 3) return (*this)(images.unsqueeze(1)).squeeze(1);
  constexpr std::int64_t bilinear = 0, zeros = 0;
  return torch::grid_sampler_2d(images, places_, bilinear, zeros, true) * inside_.unsqueeze(1);
}

}  // namespace fmbym::training
