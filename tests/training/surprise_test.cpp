// How likely a search took the truth to be: what --likelihood adds to the loss.
#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/utils.h>

#include <cmath>

#include "fmbym/core/error.hpp"
#include "training/peak.hpp"
#include "training/pose_matchers.hpp"

namespace fmbym::training {
namespace {

using namespace testing;

constexpr double kStep = 1e-6;

const torch::TensorOptions kDouble = torch::TensorOptions(torch::kDouble);

TEST(Surprise, BelongsToTheCandidatesAroundThePosition) {
  const torch::Tensor candidates = torch::arange(-2, 3, kDouble);
  const torch::Tensor shares = shares_of(torch::tensor({0.0, 1.25, -2.0, 7.0}, kDouble), candidates);
  const torch::Tensor expected = torch::tensor({{0.0, 0.0, 1.0, 0.0, 0.0},
                                                {0.0, 0.0, 0.0, 0.75, 0.25},
                                                {1.0, 0.0, 0.0, 0.0, 0.0},
                                                {0.0, 0.0, 0.0, 0.0, 0.0}},
                                               kDouble);
  EXPECT_TRUE(shares.allclose(expected));
}

// At a temperature of 100 % a weight is e to its score.
TEST(Surprise, IsTheLogarithmOfTheWeight) {
  const PeakReader reader(PeakPolicy::soft_argmax, 1, 1, kDouble);
  const torch::Tensor weights = torch::tensor({{0.2, 0.5, 0.3}}, kDouble);
  const torch::Tensor hundred = torch::tensor(100.0, kDouble);
  const auto of = [&](double truth) {
    return reader.curve_surprise(weights.log(), torch::tensor({truth}, kDouble), hundred).item<double>();
  };
  EXPECT_NEAR(of(0), -std::log(0.5), 1e-12);
  EXPECT_NEAR(of(1), -std::log(0.3), 1e-12);
  EXPECT_NEAR(of(-0.5), -0.5 * std::log(0.2) - 0.5 * std::log(0.5), 1e-12);
  const torch::Tensor surface = torch::outer(weights[0], weights[0]).log().unsqueeze(0);
  EXPECT_NEAR(reader.surface_surprise(surface, torch::tensor({{1.0, -1.0}}, kDouble), hundred).item<double>(),
              -std::log(0.3 * 0.2), 1e-12);
}

class JudgingMatcher : public PoseMatcherTest {
 protected:
  bool refines() const { return GetParam().config.preset == Preset::standard && GetParam().config.refine; }
  const torch::Tensor temperatures_ = torch::tensor({2.0, 1.0}, kDouble);
};

TEST_P(JudgingMatcher, FindsWhatItFindsUnjudged) {
  const auto matcher = make_pose_matcher(GetParam().config, kDouble);
  const ImageBatch batch = image_batch(GetParam().config.imaging, kDouble);
  if (refines()) {
    EXPECT_THROW(matcher->judge(batch.current, batch.previous, batch.motion, temperatures_), Error);
    return;
  }
  const JudgedPoses judged = matcher->judge(batch.current, batch.previous, batch.motion, temperatures_);
  EXPECT_TRUE(judged.poses.equal(matcher->match(batch.current, batch.previous, {}, temperatures_)));
}

// Two pixels or two degrees beside the truth are less likely.
TEST_P(JudgingMatcher, IsLeastSurprisedByTheTruth) {
  if (refines()) return;
  const auto matcher = make_pose_matcher(GetParam().config, kDouble);
  const ImageBatch batch = image_batch(GetParam().config.imaging, kDouble);
  const auto surprise = [&](double x, double y, double yaw) {
    const torch::Tensor truth = batch.motion + torch::tensor({{x, y, yaw}}, kDouble);
    return matcher->judge(batch.current, batch.previous, truth, temperatures_).surprise;
  };
  const torch::Tensor least = surprise(0, 0, 0);
  for (const double side : {-1.0, 1.0}) {
    EXPECT_TRUE((surprise(2 * side, 0, 0) > least).all().item<bool>());
    EXPECT_TRUE((surprise(0, 2 * side, 0) > least).all().item<bool>());
    EXPECT_TRUE((surprise(0, 0, 0.04 * side) > least).all().item<bool>());
  }
}

TEST_P(JudgingMatcher, HasTheGradientOfFiniteDifferences) {
  if (refines()) return;
  const auto matcher = make_pose_matcher(GetParam().config, kDouble);
  ImageBatch batch = image_batch(GetParam().config.imaging, kDouble);
  torch::manual_seed(7);
  const torch::Tensor way = torch::rand_like(batch.current) - 0.5;
  const auto surprise = [&](const torch::Tensor& current) {
    return matcher->judge(current, batch.previous, batch.motion, temperatures_).surprise;
  };
  const torch::Tensor current = batch.current.clone().requires_grad_();
  const torch::Tensor gradient = torch::autograd::grad({surprise(current).sum()}, {current})[0];
  const torch::Tensor found = (gradient * way).sum({1, 2});
  const torch::NoGradGuard no_gradients;
  const torch::Tensor expected =
      (surprise(batch.current + kStep * way) - surprise(batch.current - kStep * way)) / (2 * kStep);
  for (std::int64_t i = 0; i < expected.size(0); ++i)
    EXPECT_NEAR(found[i].item<double>() / expected[i].item<double>(), 1, 1e-3) << i;
}

INSTANTIATE_TEST_SUITE_P(Of, JudgingMatcher, ::testing::ValuesIn(pose_matcher_cases()), name_of);

}  // namespace
}  // namespace fmbym::training
