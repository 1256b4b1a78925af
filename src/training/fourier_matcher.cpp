#include "training/fourier_matcher.hpp"

#include "matching/translation_search.hpp"
#include "training/image_rotation.hpp"

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
    : metres_per_lag_(metres_per_pixel / config.lags_per_pixel),
      window_translation_(config.window_translation),
      hann_(hann_window(size, options)),
      rotation_(config, size, metres_per_pixel, options),
      translation_(size, max_lag_pixels(config.max_translation, size, metres_per_pixel), config.remove_mean,
                   config.lags_per_pixel),
      yaw_peak_(config.peak, config.yaw_temperature, rotation_.lags(), options),
      shift_peak_(config.peak, config.translation_temperature, translation_.lags(), options) {
  config.validate();
}

struct FourierMatcher::Found {
  torch::Tensor curve, yaw;      // (batch, candidate), (batch) [rad]
  torch::Tensor surface, shift;  // (batch, side, side), (batch, 2) [lag]
};

// Algorithm 1.
FourierMatcher::Found FourierMatcher::search(const torch::Tensor& current, const torch::Tensor& previous,
                                             const torch::Tensor& temperatures) const {
  const auto temperature = [&](int i) { return temperatures.defined() ? temperatures[i] : temperatures; };
  const torch::Tensor f = hann_ * current, g = hann_ * previous;
  Found found;
  found.curve = rotation_.correlate(f, g);
  found.yaw = rotation_.step() * yaw_peak_.curve_position(found.curve, temperature(0));  // Eq. (7)
  const torch::Tensor fixed = window_translation_ ? f : current;
  const torch::Tensor turned = ImageRotation(found.yaw, current.size(-1))(window_translation_ ? g : previous);
  found.surface = translation_.correlate(fixed, turned);
  found.shift = shift_peak_.surface_position(found.surface, temperature(1));  // Eq. (8)
  return found;
}

torch::Tensor FourierMatcher::match(const torch::Tensor& current, const torch::Tensor& previous,
                                    const torch::Tensor& temperatures) const {
  const Found found = search(current, previous, temperatures);
  return finished_match(found.yaw, found.shift, metres_per_lag_, current, previous);
}

JudgedPoses FourierMatcher::judge(const torch::Tensor& current, const torch::Tensor& previous,
                                  const torch::Tensor& truth, const torch::Tensor& temperatures) const {
  const Found found = search(current, previous, temperatures);
  const torch::Tensor true_yaw = truth.select(1, 2) / rotation_.step();
  const torch::Tensor true_shift = shift_of(truth, found.yaw, metres_per_lag_);
  return {finished_match(found.yaw, found.shift, metres_per_lag_, current, previous),
          yaw_peak_.curve_surprise(found.curve, true_yaw, temperatures[0]) +
              shift_peak_.surface_surprise(found.surface, true_shift, temperatures[1])};
}

}  // namespace fmbym::training
