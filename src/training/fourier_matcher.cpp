#include "training/fourier_matcher.hpp"

#include "matching/translation_search.hpp"
#include "training/image_rotation.hpp"
#include "training/match_result.hpp"

namespace fmbym::training {
namespace {

// Without the zeros at its ends.
torch::Tensor hann_window(int size, const torch::TensorOptions& options) {
  const torch::Tensor window = torch::hann_window(size + 1, options.dtype(torch::kDouble)).narrow(0, 1, size);
  return torch::outer(window, window).to(options);
}

}  // namespace

FourierMatcher::FourierMatcher(const FourierConfig& config, int size, double metres_per_pixel,
                               const torch::TensorOptions& options)
    : metres_per_pixel_(metres_per_pixel),
      window_translation_(config.window_translation),
      hann_(hann_window(size, options)),
      rotation_(config, size, metres_per_pixel, options),
      translation_(size, max_lag_pixels(config.max_translation, size, metres_per_pixel), config.remove_mean),
      yaw_peak_(config.peak, config.yaw_temperature, rotation_.lags(), options),
      shift_peak_(config.peak, config.translation_temperature, translation_.lags(), options) {
  config.validate();
}

// Algorithm 1.
torch::Tensor FourierMatcher::match(const torch::Tensor& current, const torch::Tensor& previous,
                                    const torch::Tensor& temperatures) const {
  const auto temperature = [&](int i) { return temperatures.defined() ? temperatures[i] : temperatures; };
  const torch::Tensor f = hann_ * current, g = hann_ * previous;
  const torch::Tensor yaw =
      rotation_.step() * yaw_peak_.curve_position(rotation_.correlate(f, g), temperature(0));  // Eq. (7)
  const torch::Tensor fixed = window_translation_ ? f : current;
  const torch::Tensor turned = ImageRotation(yaw, current.size(-1))(window_translation_ ? g : previous);
  const torch::Tensor shift =
      shift_peak_.surface_position(translation_.correlate(fixed, turned), temperature(1));  // Eq. (8)
  return finished_match(yaw, shift, metres_per_pixel_, current, previous);
}

}  // namespace fmbym::training
