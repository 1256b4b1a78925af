// Convolutions of 3 by 3 and their gradients after Winograd, in tiles of 4 by 4 pixels: docs/masking.md has
// the formulas, here with all the fractions in G, so that the images, which are larger than the weights, are
// left with whole numbers.
//
//   forward           out  = Aᵀ [(G w Gᵀ) · (Bᵀ in B)] A
//   weight's gradient dw   = Gᵀ [(Bᵀ in B) · (A dout Aᵀ)] G
//   input's gradient  the forward convolution of dout with the weights turned round and transposed
//
// The dots are products of matrices, one for each of the 36 numbers ("frequencies") of a tile: over the
// channels there, over the tiles here. Images are (batch, row, column, channel), weights (out, in, 3, 3).
// Vector code apart from torch; fast_layers.hpp has the layer.
#pragma once

#include <cstdint>

namespace fmbym::training {

struct ImagesSize {
  std::int64_t batch, rows, columns;
};

struct WeightShape {
  std::int64_t out, in;
};

// images (…, in) → out (…, out)
void convolve(const ImagesSize& size, const float* images, WeightShape shape, const float* weight,
              float* out);

// gradient (…, out) → out (…, in)
void convolve_back(const ImagesSize& size, const float* gradient, WeightShape shape, const float* weight,
                   float* out);

// images (…, in), gradient (…, out) → out, like the weights
void weight_gradient(const ImagesSize& size, const float* images, const float* gradient, WeightShape shape,
                     float* out);

}  // namespace fmbym::training
