// Every way to match that can be learnt through, small enough for finite differences.
#pragma once

#include <gtest/gtest.h>
#include <torch/types.h>

#include <string>
#include <vector>

#include "training/pose_matcher.hpp"
#include "training/scan_pairs.hpp"
#include "training/tensors.hpp"

namespace fmbym::testing {

struct PoseMatcherCase {
  std::string name;
  OdometryConfig config;
};

inline void PrintTo(const PoseMatcherCase& test, std::ostream* out) {
  *out << test.name;
}
inline std::string name_of(const ::testing::TestParamInfo<PoseMatcherCase>& test) {
  return test.param.name;
}

inline OdometryConfig small_config(Method method, Preset preset) {
  OdometryConfig config = make_config(method, preset, 31);
  config.imaging.metres_per_pixel = 1;
  config.exhaustive.max_yaw = 0.1;
  config.exhaustive.yaw_step = 0.02;
  return config;
}

inline std::vector<PoseMatcherCase> pose_matcher_cases() {
  const OdometryConfig fourier = small_config(Method::f_raw, Preset::paper);
  const OdometryConfig exhaustive = small_config(Method::raw, Preset::paper);
  std::vector<PoseMatcherCase> cases{{"MeanSoft", fourier},
                                     {"MeanParabola", fourier},
                                     {"ZeroShiftSoft", fourier},
                                     {"ZeroShiftParabola", fourier},
                                     {"ExhaustiveSoft", exhaustive},
                                     {"ExhaustiveParabola", exhaustive},
                                     {"ExhaustiveShiftParabola", exhaustive},
                                     {"Tracking", small_config(Method::f_raw, Preset::standard)},
                                     {"Refinement", small_config(Method::f_raw, Preset::standard)},
                                     {"MeanFine", fourier}};
  const auto config = [&](std::size_t i) -> OdometryConfig& { return cases[i].config; };
  config(1).fourier.peak = config(3).fourier.peak = PeakPolicy::parabola;
  config(2).fourier.radial = config(3).fourier.radial = RadialPolicy::zero_shift;
  config(3).fourier.window_translation = false;
  config(3).fourier.remove_mean = config(6).exhaustive.remove_mean = true;
  config(5).exhaustive.yaw_peak = PeakPolicy::parabola;
  config(5).exhaustive.translation_peak = config(6).exhaustive.translation_peak = PeakPolicy::parabola;
  config(7).refine = false;
  config(9).fourier.oversampling = config(9).fourier.lags_per_pixel = 2;
  return cases;
}

constexpr SE2 kMotions[] = {{1.3, -0.7, 0.03}, {0.2, 0.4, -0.05}, {-0.9, 0.1, 0.01}};

// That many pairs with their motions.
struct ImageBatch {
  torch::Tensor current, previous;  // (batch, n, n)
  torch::Tensor motion;             // (batch, 3)
};

inline ImageBatch image_batch(const ImagingConfig& imaging, const torch::TensorOptions& options) {
  std::vector<torch::Tensor> current, previous, motions;
  for (const SE2& motion : kMotions) {
    const ScanPair pair = small_pair(imaging, motion);
    current.push_back(as_tensor(pair.current));
    previous.push_back(as_tensor(pair.previous));
    motions.push_back(torch::tensor({motion.x, motion.y, motion.yaw}, torch::kDouble));
  }
  return {torch::stack(current).to(options), torch::stack(previous).to(options),
          torch::stack(motions).to(options)};
}

class PoseMatcherTest : public ::testing::TestWithParam<PoseMatcherCase> {};

}  // namespace fmbym::testing
