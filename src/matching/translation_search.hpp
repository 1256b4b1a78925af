// Stage 2 of Algorithm 1: the translation between two images whose rotation is known, by one zero-padded
// correlation.
#pragma once

#include <vector>

#include "fft/fft.hpp"
#include "fmbym/core/image.hpp"

namespace fmbym {

class TranslationSearch {
 public:
  // Shifts of up to max_shift pixels along both axes, so many a pixel. The padding is no larger than these
  // need.
  TranslationSearch(int size, int max_shift, bool remove_mean, int lags_per_pixel = 1);
  TranslationSearch(const TranslationSearch&) = delete;
  TranslationSearch& operator=(const TranslationSearch&) = delete;

  // The image that stays; its spectrum serves any number of correlations.
  void set_current(const Image& current);
  // The same image as another search of the same size, which must outlive this one.
  void share_current(const TranslationSearch& other);

  // c(d) = Σ_x current(x) · previous(R(yaw) (x + d)) as a correlation coefficient, for all shifts d of the
  // turned image. (2·lags()+1)² values: row i is a shift forward of lags()-i lags, column j one to the right
  // of j-lags() lags. Between the pixels it is what Fourier's series through them says.
  const std::vector<float>& correlate(const Image& previous, double yaw);

  const std::vector<float>& surface() const { return surface_; }  // of the last correlation

  int lags() const { return lags_; }
  int side() const { return 2 * lags_ + 1; }

 private:
  // Where the images lie in their padded squares: the previous one by the largest shift further down and
  // right, so that the shifts sought are the first rows and columns of the correlation.
  float* current_corner() { return current_padded_.data(); }
  float* previous_corner() {
    return previous_padded_.data() + std::ptrdiff_t(max_shift_) * fft_size_ + max_shift_;
  }
  int fine_size() const { return lags_per_pixel_ * fft_size_; }
  // Removes the mean if asked to, returns the energy.
  double prepare(float* corner) const;
  void multiply_spectra();
  const FftBuffer<Complex>& refined();
  void read_surface(double scale);

  int size_, max_shift_, lags_per_pixel_, lags_, fft_size_;
  bool remove_mean_;
  ForwardFft2d current_fft_, previous_fft_;
  InverseFft2d inverse_fft_;
  FftBuffer<float> current_padded_, previous_padded_;
  FftBuffer<Complex> current_, cross_, fine_;
  const FftBuffer<Complex>* fixed_ = &current_;  // the spectrum in use: this search's own or a shared one
  FftBuffer<float> correlation_;
  double current_energy_ = 0;
  std::vector<float> surface_;
};

// The largest shift to search for, in pixels: `metres`, or half the image where that is 0.
int max_lag_pixels(double metres, int size, double metres_per_pixel);

}  // namespace fmbym
