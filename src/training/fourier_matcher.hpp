// The decoupled search of the paper in batches and with gradients: what fmbym/matching/fourier.hpp does, to
// be learnt through.
#pragma once

#include <torch/types.h>

#include "fmbym/matching/fourier.hpp"
#include "training/angle_search.hpp"
#include "training/match_result.hpp"
#include "training/peak.hpp"
#include "training/translation_search.hpp"

namespace fmbym::training {

class FourierMatcher {
 public:
  FourierMatcher(const FourierConfig& config, int size, double metres_per_pixel,
                 const torch::TensorOptions& options = torch::kFloat);

  // Images (batch, n, n) → T_prev_curr (batch, 3): x, y [m], yaw [rad]. No motion where an image is blank.
  // Temperatures of yaw and translation [%], if given, go before the configuration's.
  torch::Tensor match(const torch::Tensor& current, const torch::Tensor& previous,
                      const torch::Tensor& temperatures = {}) const;
  // Likewise, with the surprise of the truth: that of its yaw, and of its translation after the yaw found.
  JudgedPoses judge(const torch::Tensor& current, const torch::Tensor& previous, const torch::Tensor& truth,
                    const torch::Tensor& temperatures) const;

 private:
  struct Found;
  Found search(const torch::Tensor& current, const torch::Tensor& previous,
               const torch::Tensor& temperatures) const;

  double metres_per_lag_;
  bool window_translation_;
  torch::Tensor hann_;  // (n, n)
  AngleSearch rotation_;
  TranslationSearch translation_;
  PeakReader yaw_peak_, shift_peak_;
};

}  // namespace fmbym::training
