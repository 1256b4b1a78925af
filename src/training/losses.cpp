#include "training/losses.hpp"

#include <torch/autograd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "training/pose_matcher.hpp"

namespace fmbym::training {
namespace {

constexpr double kDark = 0.02;  // of full scale: the weight of a black pixel

constexpr std::int64_t kSearchedAtOnce = 16;  // pairs

// The loss of the poses, from masked images on.
class PoseLoss {
 public:
  PoseLoss(const OdometryConfig& config, const LossWeights& weights, const torch::TensorOptions& options)
      : matcher_(make_pose_matcher(config, options)),
        weights_(weights),
        errors_weight_(torch::tensor({weights.x, weights.y, weights.yaw}, options)) {}

  // The mean over the pairs (pair, 2, n, n). A search fills more memory than its images: it is followed by
  // its way back at once, a few pairs at a time, and what remains is its slope.
  torch::Tensor mean(const torch::Tensor& masked, const torch::Tensor& truth,
                     const torch::Tensor& temperatures) const {
    const std::int64_t pairs = masked.size(0);
    torch::Tensor value = torch::zeros({}, masked.options()),
                  temperature_slope = torch::zeros_like(temperatures);
    std::vector<torch::Tensor> slopes;
    for (std::int64_t first = 0; first < pairs; first += kSearchedAtOnce) {
      const std::int64_t count = std::min(kSearchedAtOnce, pairs - first);
      const torch::Tensor part = masked.detach().narrow(0, first, count).requires_grad_(),
                          temperature = temperatures.detach().requires_grad_();
      const torch::Tensor loss = sum(part, truth.narrow(0, first, count), temperature) / double(pairs);
      const auto slope = torch::autograd::grad({loss}, {part, temperature}, {}, {}, false, true);
      slopes.push_back(slope[0]);
      if (slope[1].defined()) temperature_slope += slope[1];  // not where no soft arg-max is used
      value += loss.detach();
    }
    const torch::Tensor line = (masked * torch::cat(slopes)).sum() + (temperatures * temperature_slope).sum();
    return line + (value - line).detach();
  }

 private:
  torch::Tensor sum(const torch::Tensor& masked, const torch::Tensor& truth,
                    const torch::Tensor& temperatures) const {
    const torch::Tensor current = masked.select(1, 0), reference = masked.select(1, 1);
    // Those that climb to the nearest peak begin at the true one.
    const JudgedPoses found = weights_.likelihood > 0
                                  ? matcher_->judge(current, reference, truth, temperatures)
                                  : JudgedPoses{matcher_->match(current, reference, truth, temperatures), {}};
    const torch::Tensor errors = ((found.poses - truth).abs() * errors_weight_).sum(1);
    const torch::Tensor limited =
        weights_.limit > 0 ? weights_.limit * torch::log1p(errors / weights_.limit) : errors;
    return found.surprise.defined() ? (limited + weights_.likelihood * found.surprise).sum() : limited.sum();
  }

  std::unique_ptr<const PoseMatcher> matcher_;
  LossWeights weights_;
  torch::Tensor errors_weight_;
};

}  // namespace

torch::Tensor consistency_loss(MaskUnet& network, const Batch& batch) {
  const torch::Tensor weight = batch.scans + kDark;
  const torch::Tensor sum = torch::binary_cross_entropy_with_logits(
      network->logits(batch.scans), batch.targets, weight, {}, at::Reduction::Sum);
  return sum / weight.sum();
}

Replicas::Loss make_pose_loss(const OdometryConfig& config, const LossWeights& weights,
                              const torch::TensorOptions& options) {
  const auto loss = std::make_shared<const PoseLoss>(config, weights, options);
  return [loss](MaskUnet& network, const Batch& batch) {
    return loss->mean(batch.scans * network->forward(batch.scans), batch.poses, network->temperatures());
  };
}

}  // namespace fmbym::training
