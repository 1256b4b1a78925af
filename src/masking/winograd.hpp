// Convolutions of 3 by 3 after Winograd: a tile of 4 by 4 pixels takes 36 multiplications a pair of channels
// instead of 144, a tile of 2 by 2 takes 16 instead of 36. docs/masking.md has the formulas.
//
//   1. transform every tile of every input channel with its margin: (tile + 2)² numbers, "frequencies"
//   2. multiply: for each frequency, a product of matrices over the input channels
//   3. transform back to pixels; bias, ReLU
//
// In floating point, or in integers: pixels and weights of 8 bits become numbers of at most 16 bits, which
// are multiplied and summed exactly.
#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "fmbym/masking/mask_model.hpp"
#include "masking/output_line.hpp"
#include "masking/planes.hpp"

namespace fmbym {

inline constexpr int kOutBlock = 4;  // output channels that are multiplied at once

// Of pixels of this type: float or std::uint8_t.
template <class Pixel>
struct Convolution {
  using Number = std::conditional_t<std::is_same_v<Pixel, float>, float, std::int16_t>;

  int in = 0, out = 0;         // channels
  int tile = 4;                // pixels a side, 4 or 2
  std::vector<Number> weight;  // (frequency, block of out, in, 4), integers (…, pair of in, 4, 2)
  OutputLine output;

  int frequencies() const { return (tile + 2) * (tile + 2); }
  int tiles_per_cell() const { return 16 / (tile * tile); }
  int blocks() const { return (out + kOutBlock - 1) / kOutBlock; }
  // Input channels whose products of integers fit into a sum of 32 bits, whatever the pixels and weights:
  // they are at most 4 · 255 · 9 · 127 each for small tiles, 18 · 255 · 49 · 127 for large ones.
  int summed_at_once() const { return tile == 4 ? 64 : 1024; }
};

// The output is divided by output_scale.
Convolution<float> make_convolution(const ConvolutionShape& shape, const ConvolutionWeights& weights,
                                    int tile, float output_scale);
Convolution<std::uint8_t> make_quantized_convolution(const ConvolutionShape& shape,
                                                     const ConvolutionWeights& weights, int tile,
                                                     float output_scale);

// What is worked on at once: cells of the image, blocks of the output channels.
struct Part {
  int row_begin, row_end, column_begin, column_end;  // [cells]
  int block_begin, block_end;

  int cells() const { return (row_end - row_begin) * (column_end - column_begin); }
};

// Memory for a part at a time; one for each thread.
struct Scratch {
  hwy::AlignedFreeUniquePtr<std::byte[]> frequencies, products;
};
// How much of it a part needs [bytes].
struct ScratchSize {
  std::size_t frequencies = 0, products = 0;
};
template <class Pixel>
ScratchSize scratch_size(const Convolution<Pixel>& convolution, const Part& part);
constexpr ScratchSize larger(const ScratchSize& a, const ScratchSize& b) {
  return {std::max(a.frequencies, b.frequencies), std::max(a.products, b.products)};
}
// Between the numbers of one channel and those of the next: room for vectors that reach past the last tile.
constexpr std::ptrdiff_t scratch_stride(int tiles) {
  return (tiles + 31) / 16 * 16 + 16;
}
// Between one frequency and the next: an odd number of cache lines. All frequencies of a tile are written one
// after the other, and would be in each other's way if they fell into the same few sets of the cache.
template <class Number>
constexpr std::ptrdiff_t scratch_step(int channels, std::ptrdiff_t stride) {
  constexpr std::ptrdiff_t line = 64 / sizeof(Number);
  return (channels * stride + line - 1) / line / 2 * 2 * line + line;
}

// Writes the part's channels of `out`, the first of which is `first`.
void convolve(const Convolution<float>&, const Part&, const Planes<float>& in, Planes<float>& out, int first,
              Scratch&);
void convolve(const Convolution<float>&, const Part&, const Planes<float>& in, Planes<std::uint8_t>& out,
              int first, Scratch&);
void convolve(const Convolution<std::uint8_t>&, const Part&, const Planes<std::uint8_t>& in,
              Planes<float>& out, int first, Scratch&);
void convolve(const Convolution<std::uint8_t>&, const Part&, const Planes<std::uint8_t>& in,
              Planes<std::uint8_t>& out, int first, Scratch&);

}  // namespace fmbym
