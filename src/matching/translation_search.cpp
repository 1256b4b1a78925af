#include "matching/translation_search.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "matching/rotate_image.hpp"

namespace fmbym {

int max_lag_pixels(double metres, int size, double metres_per_pixel) {
  const int half = size / 2;
  return metres > 0 ? std::clamp(static_cast<int>(std::ceil(metres / metres_per_pixel)), 1, half) : half;
}

TranslationSearch::TranslationSearch(int size, int max_shift, bool remove_mean, int lags_per_pixel)
    : size_(size),
      max_shift_(max_shift),
      lags_per_pixel_(lags_per_pixel),
      lags_(lags_per_pixel * max_shift),
      fft_size_(friendly_fft_size(size + max_shift)),
      remove_mean_(remove_mean),
      current_fft_(fft_size_, {0, size}),
      previous_fft_(fft_size_, {max_shift, size}),
      inverse_fft_(fine_size(), {0, side()}, spectrum_columns(fft_size_)),
      current_padded_(image_count(fft_size_)),
      previous_padded_(image_count(fft_size_)),
      current_(spectrum_count(fft_size_)),
      cross_(spectrum_count(fft_size_)),
      fine_(lags_per_pixel > 1 ? spectrum_count(fine_size()) : 0),
      correlation_(image_count(fine_size())),
      surface_(std::size_t(side()) * std::size_t(side())) {}

void TranslationSearch::set_current(const Image& current) {
  for (int r = 0; r < size_; ++r)
    std::copy_n(current.row(r), size_, current_corner() + std::ptrdiff_t(r) * fft_size_);
  current_energy_ = prepare(current_corner());
  current_fft_(current_padded_, current_);
  fixed_ = &current_;
}

void TranslationSearch::share_current(const TranslationSearch& other) {
  fixed_ = other.fixed_;
  current_energy_ = other.current_energy_;
}

const std::vector<float>& TranslationSearch::correlate(const Image& previous, double yaw) {
  rotate_image(previous, yaw, previous_corner(), fft_size_);
  const double energy = std::sqrt(current_energy_ * prepare(previous_corner()));
  previous_fft_(previous_padded_, cross_);
  multiply_spectra();
  inverse_fft_(refined(), correlation_);
  const double cells = static_cast<double>(image_count(fft_size_));
  read_surface(energy > std::numeric_limits<float>::min() ? 1 / (energy * cells) : 0);
  return surface_;
}

// Columns are added up in single precision, their sums in double.
double TranslationSearch::prepare(float* corner) const {
  Eigen::Map<Eigen::ArrayXXf, 0, Eigen::OuterStride<>> block(corner, size_, size_,
                                                             Eigen::OuterStride<>(fft_size_));
  if (remove_mean_)
    block -=
        static_cast<float>(block.colwise().sum().cast<double>().sum() / static_cast<double>(block.size()));
  return block.square().colwise().sum().cast<double>().sum();
}

// cross = conj(current) · previous, in place.
void TranslationSearch::multiply_spectra() {
  using Spectrum = Eigen::Map<Eigen::ArrayXcf>;
  const auto count = static_cast<Eigen::Index>(cross_.size());
  Spectrum cross(cross_.data(), count);
  cross *= Eigen::Map<const Eigen::ArrayXcf>(fixed_->data(), count).conjugate();
}

// The spectrum of the same correlation on a finer grid, which has zeros above the old one's Nyquist frequency
// and half of what was there on either side of it.
const FftBuffer<Complex>& TranslationSearch::refined() {
  if (lags_per_pixel_ == 1) return cross_;
  const int half = fft_size_ / 2;
  for (int column = 0; column <= half; ++column) {
    const float share = column < half ? 1.f : 0.5f;
    const Complex* in = cross_.data() + std::ptrdiff_t(column) * fft_size_;
    Complex* low = fine_.data() + std::ptrdiff_t(column) * fine_size();
    Complex* high = low + fine_size() - fft_size_;  // where the negative frequencies are
    for (int row = 0; row < half; ++row) low[row] = share * in[row];
    for (int row = half + 1; row < fft_size_; ++row) high[row] = share * in[row];
    low[half] = high[half] = 0.5f * share * in[half];
  }
  return fine_;
}

void TranslationSearch::read_surface(double scale) {
  const auto factor = static_cast<float>(scale);
  for (int r = 0; r < side(); ++r) {
    const float* in = correlation_.data() + std::ptrdiff_t(r) * fine_size();
    float* out = surface_.data() + std::ptrdiff_t(r) * side();
    for (int c = 0; c < side(); ++c) out[c] = in[c] * factor;
  }
}

}  // namespace fmbym
