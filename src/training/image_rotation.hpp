// Turning images about their middle, as matching/rotate_image.hpp does, with gradients by image and angle.
#pragma once

#include <torch/types.h>

namespace fmbym::training {

// out(p) = image(R(yaw) p), bilinear, 0 where that lies outside.
class ImageRotation {
 public:
  ImageRotation(const torch::Tensor& yaw, std::int64_t size);  // (batch) [rad]; size odd

  // (batch, n, n), or (batch, channel, n, n) to turn several images alike.
  torch::Tensor operator()(const torch::Tensor& images) const;

 private:
  torch::Tensor places_;  // (batch, n, n, 2): column and row from -1 to 1
  torch::Tensor inside_;  // (batch, n, n)
};

}  // namespace fmbym::training
