// Stage 1 of Algorithm 1, as matching/angle_search.hpp does it, in batches and with gradients.
#pragma once

#include <torch/types.h>

#include "fmbym/matching/fourier.hpp"

namespace fmbym::training {

class AngleSearch {
 public:
  AngleSearch(const FourierConfig& config, int size, double metres_per_pixel,
              const torch::TensorOptions& options);

  // Windowed images (batch, n, n) → the correlation coefficient of each rotation candidate,
  // -lags() … lags() steps of step(): (batch, 2·lags() + 1).
  torch::Tensor correlate(const torch::Tensor& current, const torch::Tensor& previous) const;

  int lags() const { return lags_; }
  double step() const { return step_; }  // [rad]

 private:
  torch::Tensor polar_spectra(const torch::Tensor& images) const;

  int angles_;    // n_θ
  int lags_;      // candidates to either side of 0
  double step_;   // [rad]
  int fft_size_;  // the images are padded to this
  int rows_;      // of the polar spectra: one a radius, or a single one for the radial mean
  // Bilinear sampling of the magnitudes is linear: (row · angle, row frequency · column frequency), sparse.
  torch::Tensor sampling_;
};

}  // namespace fmbym::training
