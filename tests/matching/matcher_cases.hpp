// Every matcher the program offers, at the sizes tests can afford, and a world to match in.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "fmbym/odometry/config.hpp"
#include "support/synthetic_world.hpp"

namespace fmbym::testing {

constexpr double kDegree = std::numbers::pi / 180;

using MatcherCase = std::tuple<Method, Preset, int>;  // method, preset, pixels a side

inline std::string name_of(const ::testing::TestParamInfo<MatcherCase>& test) {
  const auto& [method, preset, size] = test.param;
  return std::string(method == Method::raw ? "Exhaustive" : "Fourier") +
         (preset == Preset::paper ? "Paper" : "Default") + std::to_string(size);
}

inline auto matcher_cases(std::vector<int> sizes) {
  return ::testing::Combine(::testing::Values(Method::raw, Method::f_raw),
                            ::testing::Values(Preset::paper, Preset::standard),
                            ::testing::ValuesIn(std::move(sizes)));
}

class MatcherTest : public ::testing::TestWithParam<MatcherCase> {
 protected:
  OdometryConfig config_ =
      make_config(std::get<0>(GetParam()), std::get<1>(GetParam()), std::get<2>(GetParam()));
  int size_ = config_.imaging.size;
  double metres_per_pixel_ = config_.imaging.metres_per_pixel;
  SyntheticWorld world_ = SyntheticWorld::make();
  std::unique_ptr<Matcher> matcher_ = make_matcher(config_);

  bool soft() const {
    return (config_.method == Method::raw ? config_.exhaustive.translation_peak : config_.fourier.peak) ==
           PeakPolicy::soft_argmax;
  }

  Image seen_from(const SE2& T_world_sensor) const {
    return world_.image(T_world_sensor, size_, metres_per_pixel_);
  }
};

inline bool is_finite(const Match& match) {
  bool finite = std::isfinite(match.T_prev_curr.x) && std::isfinite(match.T_prev_curr.y) &&
                std::isfinite(match.T_prev_curr.yaw) && std::isfinite(match.yaw_peak_ratio) &&
                std::isfinite(match.translation_peak_ratio) && std::isfinite(match.correlation);
  for (const auto& row : match.covariance)
    for (const double v : row) finite = finite && std::isfinite(v);
  return finite;
}

}  // namespace fmbym::testing
