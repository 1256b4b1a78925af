// Stage 2 of Algorithm 1, as matching/translation_search.hpp does it, in batches and with gradients.
#pragma once

#include <torch/types.h>

namespace fmbym::training {

class TranslationSearch {
 public:
  // Shifts of up to max_lag pixels along both axes.
  TranslationSearch(int size, int max_lag, bool remove_mean);

  // (…, n, n) → (…, side, side) coefficients: row i is a shift of the turned image by lags() - i pixels
  // forward, column j one by j - lags() pixels to the right. Batches are broadcast.
  torch::Tensor correlate(const torch::Tensor& current, const torch::Tensor& turned) const;

  int lags() const { return lags_; }

 private:
  // The image in a square of zeros, `offset` pixels down and right.
  torch::Tensor padded(const torch::Tensor& images, int offset) const;

  int size_, lags_, fft_size_;
  bool remove_mean_;
};

}  // namespace fmbym::training
