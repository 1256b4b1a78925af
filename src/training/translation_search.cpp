#include "training/translation_search.hpp"

#include <torch/fft.h>

#include "fft/fft.hpp"
#include "training/correlation.hpp"

namespace fmbym::training {

TranslationSearch::TranslationSearch(int size, int max_lag, bool remove_mean)
    : size_(size), lags_(max_lag), fft_size_(friendly_fft_size(size + max_lag)), remove_mean_(remove_mean) {}

torch::Tensor TranslationSearch::padded(const torch::Tensor& images, int offset) const {
  const torch::Tensor content = remove_mean_ ? images - images.mean({-2, -1}, true) : images;
  const std::int64_t after = fft_size_ - size_ - offset;
  return torch::constant_pad_nd(unit_energy(content), {offset, after, offset, after});
}

// With the turned image lags() further down and right, the shifts sought are the first rows and columns.
torch::Tensor TranslationSearch::correlate(const torch::Tensor& current, const torch::Tensor& turned) const {
  const torch::Tensor cross = spectrum_of(padded(current, 0)).conj() * spectrum_of(padded(turned, lags_));
  const int side = 2 * lags_ + 1;
  return torch::fft::irfft2(cross, {{fft_size_, fft_size_}}).narrow(-2, 0, side).narrow(-1, 0, side);
}

}  // namespace fmbym::training
