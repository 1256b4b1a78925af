// Stage 1 of Algorithm 1: the rotation between two images, from the magnitudes of their spectra alone, which
// do not change with translation.
#pragma once

#include <cstdint>
#include <vector>

#include "fft/fft.hpp"
#include "fmbym/core/image.hpp"
#include "fmbym/matching/fourier.hpp"

namespace fmbym {

class AngleSearch {
 public:
  AngleSearch(const FourierConfig& config, int size, double metres_per_pixel);

  // Correlation coefficient for each rotation candidate: -lags() … lags() steps of step(). Windowed images.
  const std::vector<float>& correlate(const Image& current, const Image& previous);
  const std::vector<float>& coefficients() const { return coefficients_; }  // of the last correlation

  int lags() const { return lags_; }
  double step() const { return step_; }  // [rad]

 private:
  // Bilinear sample of the magnitudes at one angle and radius.
  struct Sample {
    std::int32_t corner;  // first of the four neighbours
    float down, right;    // weights of the next row and the next column frequency
  };
  struct Pair {
    float current, previous;
  };

  AngleSearch(const FourierConfig& config, int size, const std::vector<double>& radii);
  void build_samples(const std::vector<double>& radii);
  void load(const Image& image, FftBuffer<Complex>& spectrum);
  void take_magnitudes();
  void sample_polar();
  double remove_mean(float* row) const;  // returns the energy that is left
  void pad_rows();
  void cross_correlate(double energy);

  int size_;    // of the images
  int angles_;  // n_θ
  int radii_;
  int rows_;  // of the polar spectra: one a radius, or a single one for the radial mean
  int lags_;
  double step_;
  int fft_size_;  // the image is padded to this
  ForwardFft2d fft_;
  RealFft1d angle_fft_;          // along the angle, all rows at once
  RealFft1d curve_fft_;          // the one curve that comes of it
  std::vector<Sample> samples_;  // (radius, angle)
  FftBuffer<float> padded_;
  FftBuffer<Complex> current_spectrum_, previous_spectrum_;
  std::vector<Pair> magnitudes_;  // (column frequency from 0 up, row frequency from -Nyquist up)
  // (row, angle): the current one followed by zeros, the previous one with lags_ more angles at both ends,
  // where it comes round again. The correlation then holds the lags from -lags_ up, one after the other.
  FftBuffer<float> current_polar_, previous_polar_;
  FftBuffer<Complex> current_angular_, previous_angular_, cross_;
  FftBuffer<float> curve_;
  std::vector<float> coefficients_;
};

// Radii of the polar spectrum that pass the band-pass filter [cycles a pixel].
std::vector<double> radii_in_band(const FourierConfig& config, int size, double metres_per_pixel);

// The largest rotation to search for, in steps of half a turn over the angles.
int max_lag_angles(const FourierConfig& config);

}  // namespace fmbym
