// What both searches do with what they found, as matching/match_result.hpp.
#pragma once

#include <torch/types.h>

namespace fmbym::training {

// Poses (batch, 3): x, y [m], yaw [rad].
struct JudgedPoses {
  torch::Tensor poses;
  // (batch): -ln of the weight that the soft arg-max gives to the truth, of yaw and translation together.
  torch::Tensor surprise;
};

// The last lines of Algorithm 1: yaw (batch) [rad] and the shift of the turned image (batch, 2), row and
// column [lag], → T_prev_curr (batch, 3). No motion where one of the images is blank.
torch::Tensor finished_match(const torch::Tensor& yaw, const torch::Tensor& shift, double metres_per_lag,
                             const torch::Tensor& current, const torch::Tensor& previous);

// The way back: the shift [lag] that makes such a pose with this yaw.
torch::Tensor shift_of(const torch::Tensor& poses, const torch::Tensor& yaw, double metres_per_lag);

}  // namespace fmbym::training
