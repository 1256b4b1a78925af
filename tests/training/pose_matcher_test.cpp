// What holds for every matcher: it does what the run time does, pairs of a batch do not know of each other,
// and nothing to see is no harm.
#include <torch/autograd.h>

#include "support/expect_near.hpp"
#include "training/pose_matchers.hpp"
#include "training/run_time_motion.hpp"

namespace fmbym::training {
namespace {

using namespace testing;

double largest(const torch::Tensor& tensor) {
  return tensor.abs().max().item<double>();
}

using AnyPoseMatcher = PoseMatcherTest;

// Up to half a pixel: the images are small and the paper's search is blunt.
TEST_P(AnyPoseMatcher, FindsTheMotion) {
  const auto matcher = make_pose_matcher(GetParam().config);
  const ImageBatch batch = image_batch(GetParam().config.imaging, torch::kFloat);
  const torch::Tensor error = matcher->match(batch.current, batch.previous) - batch.motion;
  EXPECT_LT(largest(error.narrow(1, 0, 2)), 0.5);
  EXPECT_LT(largest(error.narrow(1, 2, 1)), 0.03);
}

TEST_P(AnyPoseMatcher, IsTheRunTimes) {
  const OdometryConfig& config = GetParam().config;
  const ImageBatch batch = image_batch(config.imaging, torch::kFloat);
  const torch::Tensor poses = make_pose_matcher(config)->match(batch.current, batch.previous);
  for (std::size_t i = 0; i < std::size(kMotions); ++i)
    expect_near(pose_at(poses, std::int64_t(i)),
                run_time_motion(config, small_pair(config.imaging, kMotions[i])), tolerance(config), 1e-4);
}

TEST_P(AnyPoseMatcher, GivesABatchWhatItGivesEachPair) {
  const auto matcher = make_pose_matcher(GetParam().config);
  const ImageBatch batch = image_batch(GetParam().config.imaging, torch::kFloat);
  for (const torch::Tensor& start : {torch::Tensor(), batch.motion}) {
    const torch::Tensor together = matcher->match(batch.current, batch.previous, start);
    for (std::int64_t i = 0; i < together.size(0); ++i) {
      const auto only = [i](const torch::Tensor& all) { return all.defined() ? all.narrow(0, i, 1) : all; };
      const torch::Tensor alone = matcher->match(only(batch.current), only(batch.previous), only(start));
      EXPECT_LT(largest(alone[0] - together[i]), 1e-4) << i;  // rounding, as sums go in another order
    }
  }
}

TEST_P(AnyPoseMatcher, IsTheSameEveryTime) {
  const auto matcher = make_pose_matcher(GetParam().config);
  const auto match = [&] {
    ImageBatch batch = image_batch(GetParam().config.imaging, torch::kFloat);
    batch.current.requires_grad_();
    batch.previous.requires_grad_();
    const torch::Tensor poses = matcher->match(batch.current, batch.previous);
    poses.sum().backward();
    return std::vector{poses, batch.current.grad(), batch.previous.grad()};
  };
  const auto once = match(), again = match();
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_TRUE(once[i].equal(again[i])) << i;
}

// All kinds of blank beside a pair that is not.
TEST_P(AnyPoseMatcher, BearsBlankImages) {
  const auto matcher = make_pose_matcher(GetParam().config);
  ImageBatch batch = image_batch(GetParam().config.imaging, torch::kFloat);
  const torch::Tensor seen = batch.current[0], zeros = torch::zeros_like(seen), grey = zeros + 0.5;
  const torch::Tensor current = torch::stack({zeros, seen, zeros, grey, seen, seen}).requires_grad_();
  const torch::Tensor previous =
      torch::stack({zeros, zeros, seen, grey, grey, batch.previous[0]}).requires_grad_();
  const torch::Tensor start = torch::zeros({6, 3});
  for (const torch::Tensor& given : {torch::Tensor(), start}) {
    const torch::Tensor poses = matcher->match(current, previous, given);
    EXPECT_TRUE(poses.isfinite().all().item<bool>());
    EXPECT_EQ(largest(poses.narrow(0, 0, 3)), 0);
    const auto gradients = torch::autograd::grad({poses.sum()}, {current, previous});
    for (const torch::Tensor& gradient : gradients) {
      EXPECT_TRUE(gradient.isfinite().all().item<bool>());
      EXPECT_GT(largest(gradient[5]), 0);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Of, AnyPoseMatcher, ::testing::ValuesIn(pose_matcher_cases()), name_of);

}  // namespace
}  // namespace fmbym::training
