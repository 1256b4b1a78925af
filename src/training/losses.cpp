#include "training/losses.hpp"

#include <memory>

#include "training/pose_matcher.hpp"

namespace fmbym::training {
namespace {

constexpr double kDark = 0.02;  // of full scale: the weight of a black pixel

}  // namespace

torch::Tensor consistency_loss(MaskUnet& network, const Batch& batch) {
  const torch::Tensor weight = batch.scans + kDark;
  const torch::Tensor sum = torch::binary_cross_entropy_with_logits(
      network->logits(batch.scans), batch.targets, weight, {}, at::Reduction::Sum);
  return sum / weight.sum();
}

Replicas::Loss make_pose_loss(const OdometryConfig& config, const LossWeights& weights,
                              const torch::TensorOptions& options) {
  const std::shared_ptr<const PoseMatcher> matcher = make_pose_matcher(config, options);
  const torch::Tensor weight = torch::tensor({weights.x, weights.y, weights.yaw}, options);
  return [matcher, weight, weights](MaskUnet& network, const Batch& batch) {
    const torch::Tensor masked = batch.scans * network->forward(batch.scans);
    const torch::Tensor current = masked.select(1, 0), reference = masked.select(1, 1);
    const torch::Tensor temperatures = network->temperatures();
    // Those that climb to the nearest peak begin at the true one.
    const JudgedPoses found =
        weights.likelihood > 0
            ? matcher->judge(current, reference, batch.poses, temperatures)
            : JudgedPoses{matcher->match(current, reference, batch.poses, temperatures), {}};
    const torch::Tensor errors = ((found.poses - batch.poses).abs() * weight).sum(1);
    const torch::Tensor limited =
        weights.limit > 0 ? weights.limit * torch::log1p(errors / weights.limit) : errors;
    return found.surprise.defined() ? (limited + weights.likelihood * found.surprise).mean() : limited.mean();
  };
}

}  // namespace fmbym::training
