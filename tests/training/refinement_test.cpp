// The climb ends where the run time's does, soon, and leaves alone what has no peak.
#include "training/refinement.hpp"

#include <torch/autograd.h>

#include "fmbym/matching/refinement.hpp"
#include "support/expect_near.hpp"
#include "training/scan_pairs.hpp"
#include "training/tensors.hpp"

namespace fmbym::training {
namespace {

using namespace testing;

constexpr ImagingConfig kImaging{127, 0.8};
const SE2 kMotion{1.5, -0.4, 0.05};

torch::Tensor as_poses(const std::vector<SE2>& poses) {
  std::vector<double> values;
  for (const SE2& pose : poses) values.insert(values.end(), {pose.x, pose.y, pose.yaw});
  return torch::tensor(values, torch::kDouble).to(torch::kFloat).view({-1, 3});
}

struct Pairs {
  torch::Tensor current, previous, start;
};

Pairs from_many_starts(const ScanPair& pair) {
  std::vector<SE2> starts;
  for (const SE2& off :
       {SE2{0.1, 0, 0.002}, SE2{0.8, 0, 0}, SE2{-0.8, 0.8, 0}, SE2{0, 0, 0.0175}, SE2{0.5, 0.5, -0.0175}})
    starts.push_back(kMotion * off);
  const auto count = std::int64_t(starts.size());
  return {as_tensor(pair.current).expand({count, -1, -1}), as_tensor(pair.previous).expand({count, -1, -1}),
          as_poses(starts)};
}

TEST(DifferentiableRefinement, EndsWhereTheRunTimesDoes) {
  const ScanPair pair = synthetic_pair(kImaging, kMotion);
  fmbym::Refinement run_time(kImaging.size, kImaging.metres_per_pixel);
  run_time.set_previous(pair.previous);
  run_time.set_current(pair.current);
  const Pairs pairs = from_many_starts(pair);
  const torch::Tensor poses = Refinement(kImaging.size, kImaging.metres_per_pixel)
                                  .climb(pairs.current, pairs.previous, pairs.start, 20);
  for (std::int64_t i = 0; i < poses.size(0); ++i) {
    SCOPED_TRACE(i);
    const SE2 peak = run_time.climb(pose_at(pairs.start, i)).T_prev_curr;
    expect_near(pose_at(poses, i), peak, 5e-3 * kImaging.metres_per_pixel, 1e-4);  // as far as that goes
  }
}

// A tenth of a pixel away, as ground truth is, three steps go all the way.
TEST(DifferentiableRefinement, IsThereInThreeSteps) {
  const Pairs pairs = from_many_starts(synthetic_pair(kImaging, kMotion));
  const Refinement refinement(kImaging.size, kImaging.metres_per_pixel);
  const torch::Tensor soon = refinement.climb(pairs.current, pairs.previous, pairs.start, 3)[0],
                      late = refinement.climb(pairs.current, pairs.previous, pairs.start, 20)[0];
  EXPECT_LT((soon - late).abs().max().item<float>(), 1e-5);
}

// Blank images, and stripes, along which nothing changes.
TEST(DifferentiableRefinement, LeavesTheStartWhereThereIsNoPeak) {
  const int n = kImaging.size;
  const torch::Tensor stripes = torch::zeros({n, n});
  stripes.slice(1, 0, n, 12).fill_(1);
  const torch::Tensor zeros = torch::zeros({n, n}), seen = as_tensor(synthetic_pair(kImaging).current);
  const torch::Tensor current = torch::stack({zeros, seen, zeros, stripes}).requires_grad_();
  const torch::Tensor previous = torch::stack({zeros, zeros, seen, stripes}).requires_grad_();
  const torch::Tensor start = as_poses({kMotion, kMotion, kMotion, {0.2, 0, 0}});
  const torch::Tensor poses = Refinement(n, kImaging.metres_per_pixel).climb(current, previous, start, 3);
  EXPECT_LT((poses - start).abs().max().item<float>(), 1e-6);
  for (const torch::Tensor& gradient : torch::autograd::grad({poses.sum()}, {current, previous}))
    EXPECT_EQ(gradient.abs().max().item<float>(), 0);
}

}  // namespace
}  // namespace fmbym::training
