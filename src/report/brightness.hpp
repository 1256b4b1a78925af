// How bright a power is drawn.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "fmbym/core/image.hpp"

namespace fmbym::report {

// From power to brightness. Robust: a few strong targets must not leave the rest of a scan in the dark.
class Brightness {
 public:
  explicit Brightness(const Image& image) {
    std::vector<float> returns;
    for (const float power : image.pixels())
      if (power > 0 && std::isfinite(power)) returns.push_back(power);
    if (returns.empty()) return;
    black_ = quantile(returns, 0.5);  // the noise floor: most of a scan is no target
    white_ = quantile(returns, 0.995);
    if (white_ <= black_) black_ = 0;  // all returns are as strong as each other
  }

  double operator()(double power) const {
    return std::pow(std::clamp((power - black_) / (white_ - black_), 0.0, 1.0), kGamma);
  }

 private:
  static constexpr double kGamma = 0.7;

  static double quantile(std::vector<float>& values, double q) {
    const auto nth = values.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), nth, values.end());
    return *nth;
  }

  double black_ = 0, white_ = 1;
};

}  // namespace fmbym::report
