// What all correlations by Fourier transform need, with gradients.
#pragma once

#include <torch/types.h>

namespace fmbym::training {

// (…, N, N), N even → (…, N, N/2+1), as torch::fft::rfft2, whose own gradient takes a complex transform of
// the whole plane.
torch::Tensor spectrum_of(const torch::Tensor& images);

// (…, row, column), each scaled so that the squares add up to 1, or to 0 where there is nothing: correlations
// of these are coefficients.
torch::Tensor unit_energy(const torch::Tensor& images);

}  // namespace fmbym::training
