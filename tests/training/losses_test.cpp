// The loss that is searched for part by part against the same in one piece.
#include "training/losses.hpp"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include <cmath>
#include <vector>

#include "training/pose_matchers.hpp"

namespace fmbym::training {
namespace {

using namespace testing;

// More pairs than are searched at once, and no multiple of them.
Batch many_pairs(const ImagingConfig& imaging) {
  const ImageBatch three = image_batch(imaging, torch::kFloat);
  return {
      torch::stack({three.current, three.previous}, 1).repeat({7, 1, 1, 1}), {}, three.motion.repeat({7, 1})};
}

std::vector<torch::Tensor> gradients_of(MaskUnet& network, const torch::Tensor& loss) {
  network->zero_grad();
  loss.backward();
  std::vector<torch::Tensor> gradients;
  for (const torch::Tensor& parameter : network->parameters())
    gradients.push_back(parameter.grad().defined() ? parameter.grad().clone() : torch::zeros_like(parameter));
  return gradients;
}

class PoseLossOf : public PoseMatcherTest {
 protected:
  // As the paper writes it.
  static torch::Tensor plain_loss(MaskUnet& network, const PoseMatcher& matcher, const Batch& batch) {
    const torch::Tensor masked = batch.scans * network->forward(batch.scans);
    const torch::Tensor poses =
        matcher.match(masked.select(1, 0), masked.select(1, 1), batch.poses, network->temperatures());
    return (poses - batch.poses).abs().sum(1).mean();
  }
};

TEST_P(PoseLossOf, PartsIsThatOfTheWhole) {
  OdometryConfig config = GetParam().config;
  config.imaging.size = 47;  // enough for the network to halve it five times
  torch::manual_seed(3);
  MaskUnet network;
  network->train();
  const Batch batch = many_pairs(config.imaging);
  const torch::Tensor plain = plain_loss(network, *make_pose_matcher(config), batch);
  const auto expected = gradients_of(network, plain);
  const torch::Tensor parts = make_pose_loss(config, {}, torch::kFloat)(network, batch);
  const auto found = gradients_of(network, parts);
  EXPECT_NEAR(parts.item<float>(), plain.item<float>(), 1e-5 * plain.item<float>());
  double error = 0, size = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error += (found[i] - expected[i]).square().sum().item<double>();
    size += expected[i].square().sum().item<double>();
  }
  EXPECT_GT(size, 0);
  EXPECT_LT(std::sqrt(error / size), 1e-3);  // sums of floats in another order
}

INSTANTIATE_TEST_SUITE_P(All, PoseLossOf, ::testing::ValuesIn(pose_matcher_cases()), name_of);

}  // namespace
}  // namespace fmbym::training
