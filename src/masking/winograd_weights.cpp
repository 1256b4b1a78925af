#include <algorithm>
#include <array>

#include "masking/winograd.hpp"

namespace fmbym {
namespace {

// Weights to frequencies along one axis, times whole numbers so that integers stay integers; the transform
// back divides by them.
using Axis = std::array<int, 3>;
constexpr std::array<Axis, 6> kTile4 = {
    {{1, 0, 0}, {-1, -1, -1}, {-1, 1, -1}, {1, 2, 4}, {1, -2, 4}, {0, 0, 1}}};
constexpr std::array<Axis, 4> kTile2 = {{{1, 0, 0}, {1, 1, 1}, {1, -1, 1}, {0, 0, 1}}};

Axis axis(int tile, int frequency) {
  const auto f = static_cast<std::size_t>(frequency);
  return tile == 4 ? kTile4[f] : kTile2[f];
}

// The frequency (fy, fx) of 3 by 3 weights.
template <class Sum, class Weight>
Sum transformed(const Weight* weight, int tile, int fy, int fx) {
  const Axis y = axis(tile, fy), x = axis(tile, fx);
  Sum sum = 0;
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t i = 0; i < 3; ++i) sum += static_cast<Sum>(y[j] * x[i]) * weight[3 * j + i];
  return sum;
}

template <class Pixel>
Convolution<Pixel> empty_convolution(const ConvolutionShape& shape, int tile) {
  Convolution<Pixel> c;
  c.in = shape.in;
  c.out = shape.out;
  c.tile = tile;
  c.weight.resize(static_cast<std::size_t>(c.frequencies() * c.blocks() * c.in * kOutBlock));
  return c;
}

// Where the weight of these channels goes, channels of `pairs` side by side.
template <class Pixel>
std::size_t place(const Convolution<Pixel>& c, int frequency, int out, int in, int pairs) {
  const int block = out / kOutBlock, lane = out % kOutBlock;
  const int row = (frequency * c.blocks() + block) * (c.in / pairs) + in / pairs;
  return static_cast<std::size_t>((row * kOutBlock + lane) * pairs + in % pairs);
}

template <class Visit>
void for_each_weight(int tile, int out, int in, const Visit& visit) {
  const int n = tile + 2;
  for (int o = 0; o < out; ++o)
    for (int i = 0; i < in; ++i)
      for (int fy = 0; fy < n; ++fy)
        for (int fx = 0; fx < n; ++fx) visit(o, i, fy, fx);
}

}  // namespace

Convolution<float> make_convolution(const ConvolutionShape& shape, const ConvolutionWeights& weights,
                                    int tile, float output_scale) {
  auto c = empty_convolution<float>(shape, tile);
  c.output = line_of_floats(shape, weights, output_scale);
  for_each_weight(tile, c.out, c.in, [&](int o, int i, int fy, int fx) {
    const float* weight = &weights.weight[static_cast<std::size_t>((o * c.in + i) * 9)];
    c.weight[place(c, fy * (tile + 2) + fx, o, i, 1)] =
        static_cast<float>(transformed<double>(weight, tile, fy, fx));
  });
  return c;
}

Convolution<std::uint8_t> make_quantized_convolution(const ConvolutionShape& shape,
                                                     const ConvolutionWeights& weights, int tile,
                                                     float output_scale) {
  auto c = empty_convolution<std::uint8_t>(shape, tile);
  c.output = line_of_bytes(shape, weights, output_scale);
  const QuantizedWeights& quantized = weights.quantized.value();
  for_each_weight(tile, c.out, c.in, [&](int o, int i, int fy, int fx) {
    const std::int8_t* weight = &quantized.weight[static_cast<std::size_t>((o * c.in + i) * 9)];
    c.weight[place(c, fy * (tile + 2) + fx, o, i, 2)] =
        static_cast<std::int16_t>(transformed<int>(weight, tile, fy, fx));
  });
  return c;
}

template <class Pixel>
ScratchSize scratch_size(const Convolution<Pixel>& convolution, const Part& part) {
  using Number = typename Convolution<Pixel>::Number;
  const std::ptrdiff_t stride = scratch_stride(part.cells() * convolution.tiles_per_cell());
  const int out = (part.block_end - part.block_begin) * kOutBlock;
  const auto bytes = [&](std::ptrdiff_t step, std::size_t number) {
    return static_cast<std::size_t>(convolution.frequencies() * step) * number;
  };
  return {bytes(scratch_step<Number>(convolution.in, stride), sizeof(Number)),
          bytes(scratch_step<float>(out, stride), sizeof(float))};
}
template ScratchSize scratch_size(const Convolution<float>&, const Part&);
template ScratchSize scratch_size(const Convolution<std::uint8_t>&, const Part&);

}  // namespace fmbym
