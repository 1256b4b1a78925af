// What training makes small.
#pragma once

#include "training/options.hpp"
#include "training/replicas.hpp"

namespace fmbym::training {

// Cross-entropy of the masks with what neighbouring scans agree on. Pixels count by their power: what is dark
// does not matter to a correlation.
torch::Tensor consistency_loss(MaskUnet& network, const Batch& batch);

// The paper's: mean absolute error of yaw, x and y, through the matcher of the configuration; and what the
// weights put beside it.
Replicas::Loss make_pose_loss(const OdometryConfig& config, const LossWeights& weights,
                              const torch::TensorOptions& options);

}  // namespace fmbym::training
