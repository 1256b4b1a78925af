// The decoupled search of the paper (f-raw, f-mbym): rotation from the magnitudes of the spectra, which do
// not change with translation, then translation by one correlation.
#pragma once

#include <memory>
#include <numbers>

#include "fmbym/matching/matcher.hpp"

namespace fmbym {

// How the angle correlation of the two polar spectra treats the radius.
enum class RadialPolicy {
  mean,        // Algorithm 1: mean over all radial shifts, which is the correlation of the radial sums
  zero_shift,  // Eq. (7): radial shift zero, each radius compared with itself only
};

// The defaults are Algorithm 1. Temperatures are in per cent of a perfect correlation, whatever the
// brightness or the size of the images: at T = 1 a candidate one per cent short of the best weighs 1/e of it.
struct FourierConfig {
  int angles = 733;             // n_θ, over half a turn
  int radii_per_frequency = 2;  // of the polar spectrum; 2 makes n_xy of them up to Nyquist, as in the paper
  int oversampling = 1;         // the image is padded to this many times its size: a finer spectrum
  double low_cut = 0.075;       // band-pass, lower end [cycles a metre]
  double high_cut = 0.875;      // band-pass, upper end [cycles a metre]; never above Nyquist
  RadialPolicy radial = RadialPolicy::mean;
  PeakPolicy peak = PeakPolicy::soft_argmax;
  double yaw_temperature = 2;             // T_θ [%]
  double translation_temperature = 1;     // T_xy [%]
  double max_yaw = std::numbers::pi / 2;  // search within ± this [rad]
  // Stage 2 also this far to either side of stage 1's yaw [rad]: where the images agree better there, the yaw
  // is where they agree best. 0: stage 1 decides.
  double second_look = 0;
  int lags_per_pixel = 1;      // candidates for the translation, along each axis
  double max_translation = 0;  // search within ± this along x and y [m]; 0: half the image, as in the paper
  bool window_translation = true;  // stage 2 on the windowed images, as Algorithm 1 has it
  bool remove_mean = false;        // stage 2 on deviations from the images' means

  void validate() const;  // throws Error
};

std::unique_ptr<Matcher> make_fourier_matcher(const FourierConfig& config, int size, double metres_per_pixel);

}  // namespace fmbym
