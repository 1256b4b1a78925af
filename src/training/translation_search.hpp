// Stage 2 of Algorithm 1, as matching/translation_search.hpp does it, in batches and with gradients.
#pragma once

#include <torch/types.h>

namespace fmbym::training {

class TranslationSearch {
 public:
  // Shifts of up to max_shift pixels along both axes, so many a pixel.
  TranslationSearch(int size, int max_shift, bool remove_mean, int lags_per_pixel = 1);

  // (…, n, n) → (…, side, side) coefficients: row i is a shift of the turned image by lags() - i lags
  // forward, column j one by j - lags() lags to the right. Batches are broadcast.
  torch::Tensor correlate(const torch::Tensor& current, const torch::Tensor& turned) const;

  int lags() const { return lags_; }

 private:
  // The image in a square of zeros, `offset` pixels down and right.
  torch::Tensor padded(const torch::Tensor& images, int offset) const;

  // (…, N, N/2+1) → (…, M, N/2+1): that of the same correlation on a finer grid of M, but for the columns of
  // zeros that follow.
  torch::Tensor refined(const torch::Tensor& spectrum) const;
  int fine_size() const { return lags_per_pixel_ * fft_size_; }

  int size_, max_shift_, lags_per_pixel_, lags_, fft_size_;
  bool remove_mean_;
};

}  // namespace fmbym::training
