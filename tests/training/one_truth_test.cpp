// What is learnt through is what runs: one weights file and one pair of scans, here in libtorch, there in the
// run time, give the same masks and the same motion.
#include <gtest/gtest.h>
#include <torch/utils.h>

#include "fmbym/masking/mask_network.hpp"
#include "support/expect_near.hpp"
#include "training/network.hpp"
#include "training/pose_matcher.hpp"
#include "training/run_time_motion.hpp"
#include "training/tensors.hpp"

namespace fmbym::training {
namespace {

using namespace testing;

class OneTruth : public ::testing::TestWithParam<std::tuple<Method, Preset, int>> {
 protected:
  OneTruth() { network_->load(file_, "random"), network_->eval(); }

  void expect_same(const ScanPair& scans) {
    const torch::NoGradGuard no_gradients;
    const torch::Tensor inputs = as_pair(scans.current, scans.previous);
    const torch::Tensor masks = network_->forward(inputs);
    const Masks expected = run_time_network_.predict(scans.current, scans.previous);
    EXPECT_LT((masks - as_pair(expected.current, expected.reference)).abs().max().item<float>(), 2e-5);

    ScanPair masked = scans;
    apply_mask(expected.current, masked.current);
    apply_mask(expected.reference, masked.previous);
    const torch::Tensor images = inputs * masks;
    const auto matcher = make_pose_matcher(config_);
    const torch::Tensor poses = matcher->match(images.select(1, 0), images.select(1, 1));
    const SE2 motion = run_time_motion(config_, masked);
    expect_near(pose_at(poses, 0), motion, tolerance(config_), 1e-4);
  }

  int size_ = std::get<2>(GetParam());
  OdometryConfig config_ = make_config(std::get<0>(GetParam()), std::get<1>(GetParam()), size_);
  TensorFile file_ = random_weights(5, size_);
  MaskUnet network_;
  MaskNetwork run_time_network_{parse_model(file_, "random"), size_};
};

TEST_P(OneTruth, OnSyntheticScans) {
  expect_same(synthetic_pair(config_.imaging));
}

TEST_P(OneTruth, OnRealScans) {
  FMBYM_NEEDS_REAL_DATA("oxford-tiny");
  expect_same(real_pair(config_));
}

std::string name_of(const ::testing::TestParamInfo<OneTruth::ParamType>& test) {
  const auto& [method, preset, size] = test.param;
  return (is_decoupled(method) ? "Fourier" : "Exhaustive") + to_string(preset) + std::to_string(size);
}

constexpr auto kPresets = {Preset::paper, Preset::standard};
INSTANTIATE_TEST_SUITE_P(Of, OneTruth,
                         ::testing::Combine(::testing::Values(Method::f_mbym), ::testing::ValuesIn(kPresets),
                                            ::testing::Values(127, 255)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(OfSmall, OneTruth,
                         ::testing::Combine(::testing::Values(Method::mbym), ::testing::ValuesIn(kPresets),
                                            ::testing::Values(127)),
                         name_of);

}  // namespace
}  // namespace fmbym::training
