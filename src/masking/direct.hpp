// Convolutions of 3 by 3 as they are defined, in 8-bit integers, for processors that multiply and sum four
// pairs of bytes in one instruction (AVX-512 with VNNI): there nothing that saves multiplications is worth
// its own time. The first and the last convolution of the network are in floating point, here as well.
// docs/masking.md compares it with winograd.hpp; bytes come out the same.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "fmbym/core/image.hpp"
#include "fmbym/masking/mask_model.hpp"
#include "masking/grid.hpp"
#include "masking/output_line.hpp"
#include "masking/resampling.hpp"
#include "masking/winograd.hpp"

namespace fmbym {

// Whether this processor can do any of what follows.
bool has_byte_products();

// Of cells of this type: float or FourChannels.
template <class Cell>
struct DirectConvolution {
  // A channel's, or four channels' in bytes.
  using Weight = std::conditional_t<std::is_same_v<Cell, float>, float, std::int32_t>;

  int planes = 0;              // of the input
  int out = 0;                 // channels
  std::vector<Weight> weight;  // (block of out, plane, 3 · 3, out of the block)
  OutputLine output;

  int block() const { return out % 8 == 0 ? 8 : 2; }  // output channels that are summed at once
  int blocks() const { return out / block(); }
};

// The output is divided by output_scale.
DirectConvolution<float> make_direct_convolution(const ConvolutionShape& shape,
                                                 const ConvolutionWeights& weights, float output_scale);
DirectConvolution<FourChannels> make_direct_byte_convolution(const ConvolutionShape& shape,
                                                             const ConvolutionWeights& weights,
                                                             float output_scale);

// What is worked on at once: rows of the image, blocks of the output channels.
struct Band {
  int row_begin, row_end, block_begin, block_end;
};
template <class Cell>
ScratchSize scratch_size(const DirectConvolution<Cell>&, const Band&) {
  return {};  // sums stay in registers
}

// Writes the band's channels of `out`, the first of which is `first`.
template <class Cell, class Out>
void convolve(const DirectConvolution<Cell>&, const Band&, const Grid<Cell>& in, Grid<Out>& out, int first,
              Scratch&);

// The rest is as for planes (resampling.hpp).
void load_row(const Image& image, int y, float mean, float scale, Grid<float>& out, int channel);
void pool(const Grid<FourChannels>& in, int first, Grid<FourChannels>& out, Rows rows);

class ByteStretching {
 public:
  explicit ByteStretching(int size);

  void run(const Grid<FourChannels>& in, Grid<FourChannels>& out, Rows rows) const;

  struct Between {
    int first, second;
    std::int16_t weight;  // of the second
  };
  const Between& row(int y) const { return rows_[static_cast<std::size_t>(y)]; }

  // Pixel 2k is made of the pixels k-1 and k, pixel 2k + 1 of k-1, k and k+1: their weights, once for each of
  // the four channels (pixel, tap, k, channel).
  const std::int16_t* weights(int pixel, int tap) const {
    return weights_.data() + (pixel * 3 + tap) * std::ptrdiff_t{stride_};
  }

 private:
  int stride_;
  std::vector<Between> rows_;
  std::vector<std::int16_t> weights_;
};

}  // namespace fmbym
