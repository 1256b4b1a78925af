// From masked images to the motion between them, with gradients: as odometry matches them, for every method
// and preset.
#pragma once

#include <torch/types.h>

#include <memory>

#include "fmbym/odometry/config.hpp"
#include "training/match_result.hpp"

namespace fmbym::training {

class PoseMatcher {
 public:
  virtual ~PoseMatcher() = default;

  // Masked images (batch, n, n) → T_ref_curr (batch, 3): x, y [m], yaw [rad]. Those that refine climb from
  // `start`, a pose near the true one, likewise (batch, 3); without it they search first. Temperatures of yaw
  // and translation [%], if given, go before the configuration's where there is a soft arg-max.
  virtual torch::Tensor match(const torch::Tensor& current, const torch::Tensor& reference,
                              const torch::Tensor& start = {},
                              const torch::Tensor& temperatures = {}) const = 0;

  // The same, and how likely it took the truth to be. Throws Error where no soft arg-max says so: where
  // matches are refined.
  virtual JudgedPoses judge(const torch::Tensor& current, const torch::Tensor& reference,
                            const torch::Tensor& truth, const torch::Tensor& temperatures) const = 0;
};

// The paper's preset searches; the standard one searches around no motion, then refines.
std::unique_ptr<PoseMatcher> make_pose_matcher(const OdometryConfig& config,
                                               const torch::TensorOptions& options = torch::kFloat);

}  // namespace fmbym::training
