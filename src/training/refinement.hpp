// The last step of a match in batches and with gradients: what fmbym/matching/refinement.hpp climbs to, to be
// learnt through.
#pragma once

#include <torch/types.h>

namespace fmbym::training {

class Refinement {
 public:
  Refinement(int size, double metres_per_pixel, const torch::TensorOptions& options = torch::kFloat);

  // From T_prev_curr (batch, 3): x, y [m], yaw [rad] to the maximum of the correlation near it. Up to `steps`
  // Newton steps without gradients, then one with them: it moves with the images as the maximum does, by the
  // implicit function theorem. Where there is no maximum the start comes back, with nothing to be learnt.
  torch::Tensor climb(const torch::Tensor& current, const torch::Tensor& previous, const torch::Tensor& start,
                      int steps) const;

 private:
  torch::Tensor unit_;  // (3): metres a pixel along x and y, radians a pixel at the rim
};

}  // namespace fmbym::training
