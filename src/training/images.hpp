// Images from one layer to the next, which needs them once more for its gradient. To keep them all would be
// more than half the memory of a training step; most are quickly made again of what is kept anyway, the
// convolutions' outputs.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace fmbym::training {

struct Images {
  Images() = default;
  // Kept as they are.
  Images(const torch::Tensor& images)  // NOLINT(google-explicit-constructor)
      : value(images), made_of{images, torch::Tensor()} {}
  Images(const torch::Tensor& images, std::vector<torch::Tensor> of)
      : value(images), made_of(std::move(of)) {}

  torch::Tensor value;
  // Images and the line of line_relu, undefined where they are as they were; or the same of two, small and
  // large, that were stretched and joined.
  std::vector<torch::Tensor> made_of;
};

// The value, bit for bit; or that of `count` images of the batch alone.
torch::Tensor made_again(const std::vector<torch::Tensor>& of);
torch::Tensor made_again(const std::vector<torch::Tensor>& of, std::int64_t first, std::int64_t count);

// What they are made with, without gradients.
// max(0, in · scale + shift); line: (2, channel), scale and shift
torch::Tensor line_relu(const torch::Tensor& in, const torch::Tensor& line);
torch::Tensor stretched_and_joined(const torch::Tensor& small, const torch::Tensor& large);

}  // namespace fmbym::training
