// The search of Masking by Moving in batches and with gradients: what fmbym/matching/exhaustive.hpp does, to
// be learnt through.
#pragma once

#include <torch/types.h>

#include "fmbym/matching/exhaustive.hpp"
#include "training/image_rotation.hpp"
#include "training/match_result.hpp"
#include "training/translation_search.hpp"

namespace fmbym::training {

// Keeps the scores of every rotation candidate for the gradients: memory grows with their number.
class ExhaustiveMatcher {
 public:
  ExhaustiveMatcher(const ExhaustiveConfig& config, int size, double metres_per_pixel,
                    const torch::TensorOptions& options = torch::kFloat);

  // Images (batch, n, n) → T_prev_curr (batch, 3): x, y [m], yaw [rad]. No motion where an image is blank.
  // Temperatures [%] as the decoupled search has them; this one has that of the translation alone.
  torch::Tensor match(const torch::Tensor& current, const torch::Tensor& previous,
                      const torch::Tensor& temperatures = {}) const;
  // Likewise, with the surprise of the truth, over all candidates together.
  JudgedPoses judge(const torch::Tensor& current, const torch::Tensor& previous, const torch::Tensor& truth,
                    const torch::Tensor& temperatures) const;

 private:
  struct Position;

  torch::Tensor correlate(const torch::Tensor& current, const torch::Tensor& previous) const;
  Position read(const torch::Tensor& scores, const torch::Tensor& temperatures) const;
  Position soft_position(const torch::Tensor& weights) const;
  torch::Tensor vertex_at(const torch::Tensor& yaw, const torch::Tensor& scores,
                          const torch::Tensor& highest) const;

  ExhaustiveConfig config_;
  double metres_per_pixel_;
  int steps_;          // rotation candidates to either side of 0
  torch::Tensor yaw_;  // (candidate) [rad]
  ImageRotation rotation_;
  TranslationSearch translation_;
  torch::Tensor lags_;  // (side)
};

}  // namespace fmbym::training
