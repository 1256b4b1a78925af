// From the run time's images and poses to tensors.
#pragma once

#include <torch/types.h>

#include "fmbym/core/image.hpp"
#include "fmbym/core/se2.hpp"

namespace fmbym::testing {

// (row, column)
inline torch::Tensor as_tensor(const Image& image) {
  return torch::tensor(image.pixels()).reshape({image.size(), image.size()});
}

// (1, 2, row, column): what the mask network takes and gives for one pair.
inline torch::Tensor as_pair(const Image& current, const Image& reference) {
  return torch::stack({as_tensor(current), as_tensor(reference)}).unsqueeze(0);
}

inline SE2 pose_at(const torch::Tensor& poses, std::int64_t index) {
  const torch::Tensor pose = poses[index].to(torch::kDouble);
  return {pose[0].item<double>(), pose[1].item<double>(), pose[2].item<double>()};
}

}  // namespace fmbym::testing
