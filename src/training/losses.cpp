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
  return [matcher, weight, limit = weights.limit](MaskUnet& network, const Batch& batch) {
    const torch::Tensor masked = batch.scans * network->forward(batch.scans);
    // Those that climb to the nearest peak begin at the true one.
    const torch::Tensor poses =
        matcher->match(masked.select(1, 0), masked.select(1, 1), batch.poses, network->temperatures());
    const torch::Tensor errors = ((poses - batch.poses).abs() * weight).sum(1);
    return (limit > 0 ? limit * torch::log1p(errors / limit) : errors).mean();
  };
}

}  // namespace fmbym::training
