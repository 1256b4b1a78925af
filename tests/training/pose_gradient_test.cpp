// Gradients of the matched motion by both images, against finite differences in double precision.
#include <torch/autograd.h>
#include <torch/utils.h>

#include "training/pose_matchers.hpp"

namespace fmbym::training {
namespace {

using namespace testing;

constexpr double kStep = 1e-6;

using Gradient = PoseMatcherTest;

TEST_P(Gradient, IsThatOfFiniteDifferences) {
  const auto options = torch::TensorOptions(torch::kDouble);
  const auto matcher = make_pose_matcher(GetParam().config, options);
  ImageBatch batch = image_batch(GetParam().config.imaging, options);
  torch::manual_seed(7);
  batch.current = (batch.current + 0.02 * torch::rand_like(batch.current)).requires_grad_();
  batch.previous = (batch.previous + 0.02 * torch::rand_like(batch.previous)).requires_grad_();
  const auto pose_at_step = [&](double step, const torch::Tensor& current_way, const torch::Tensor& way) {
    const torch::NoGradGuard no_gradients;
    return matcher->match(batch.current + step * current_way, batch.previous + step * way, batch.motion);
  };
  for (int coordinate = 0; coordinate < 3; ++coordinate) {
    const torch::Tensor pose = matcher->match(batch.current, batch.previous, batch.motion);
    const auto gradients =
        torch::autograd::grad({pose.select(1, coordinate).sum()}, {batch.current, batch.previous});
    for (const bool of_current : {true, false}) {
      const torch::Tensor way = torch::rand_like(batch.current) - 0.5, still = torch::zeros_like(way);
      const auto at = [&](double step) {
        return (of_current ? pose_at_step(step, way, still) : pose_at_step(step, still, way))
            .select(1, coordinate);
      };
      const torch::Tensor expected = (at(kStep) - at(-kStep)) / (2 * kStep);
      const torch::Tensor found = (gradients[of_current ? 0 : 1] * way).sum({1, 2});
      for (std::int64_t i = 0; i < expected.size(0); ++i)
        EXPECT_NEAR(found[i].item<double>() / expected[i].item<double>(), 1, 1e-4)
            << "coordinate " << coordinate << (of_current ? ", current image " : ", previous image ") << i;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Of, Gradient, ::testing::ValuesIn(pose_matcher_cases()), name_of);

}  // namespace
}  // namespace fmbym::training
