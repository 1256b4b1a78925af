#include "training/translation_search.hpp"

#include <torch/fft.h>

#include "fft/fft.hpp"
#include "training/correlation.hpp"

namespace fmbym::training {

TranslationSearch::TranslationSearch(int size, int max_shift, bool remove_mean, int lags_per_pixel)
    : size_(size),
      max_shift_(max_shift),
      lags_per_pixel_(lags_per_pixel),
      lags_(lags_per_pixel * max_shift),
      fft_size_(friendly_fft_size(size + max_shift)),
      remove_mean_(remove_mean) {}

torch::Tensor TranslationSearch::padded(const torch::Tensor& images, int offset) const {
  const torch::Tensor content = remove_mean_ ? images - images.mean({-2, -1}, true) : images;
  const std::int64_t after = fft_size_ - size_ - offset;
  return torch::constant_pad_nd(unit_energy(content), {offset, after, offset, after});
}

torch::Tensor TranslationSearch::refined(const torch::Tensor& spectrum) const {
  if (lags_per_pixel_ == 1) return spectrum;
  const int half = fft_size_ / 2, zeros = fine_size() - fft_size_ - 1;
  const torch::Tensor shared = spectrum.clone();  // on either side of the Nyquist frequency
  for (const int axis : {-2, -1}) shared.narrow(axis, half, 1).mul_(0.5);
  const torch::Tensor low = torch::constant_pad_nd(shared.narrow(-2, 0, half + 1), {0, 0, 0, zeros});
  return torch::cat({low, shared.narrow(-2, half, half)}, -2);
}

// With the turned image by the largest shift further down and right, the shifts sought are the first rows and
// columns.
torch::Tensor TranslationSearch::correlate(const torch::Tensor& current, const torch::Tensor& turned) const {
  const torch::Tensor cross =
      spectrum_of(padded(current, 0)).conj() * spectrum_of(padded(turned, max_shift_));
  const int side = 2 * lags_ + 1;
  const double cells = double(lags_per_pixel_) * lags_per_pixel_;
  return cells * torch::fft::irfft2(refined(cross), {{fine_size(), fine_size()}})
                     .narrow(-2, 0, side)
                     .narrow(-1, 0, side);
}

}  // namespace fmbym::training
