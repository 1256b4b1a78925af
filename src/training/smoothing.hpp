// Smoothing with the binomial weights 1 2 1 both ways, with gradients.
#pragma once

#include <torch/types.h>

namespace fmbym::training {

// (batch, n, n) → (batch, n-2, n-2): each pixel that has all its neighbours.
torch::Tensor binomial_mean(const torch::Tensor& images);

}  // namespace fmbym::training
