#include "masking/direct.hpp"

namespace fmbym {
namespace {

template <class Cell>
DirectConvolution<Cell> empty_convolution(const ConvolutionShape& shape) {
  DirectConvolution<Cell> c;
  c.planes = shape.in / Grid<Cell>::kChannels;
  c.out = shape.out;
  c.weight.resize(static_cast<std::size_t>(c.planes * 9 * c.out));
  return c;
}

// Where the weight of an output channel and a plane goes.
template <class Cell>
auto& weight_at(DirectConvolution<Cell>& c, int out, int plane, int tap) {
  const int block = out / c.block();
  return c
      .weight[static_cast<std::size_t>(((block * c.planes + plane) * 9 + tap) * c.block() + out % c.block())];
}

}  // namespace

DirectConvolution<float> make_direct_convolution(const ConvolutionShape& shape,
                                                 const ConvolutionWeights& weights, float output_scale) {
  auto c = empty_convolution<float>(shape);
  c.output = line_of_floats(shape, weights, output_scale);
  for (int o = 0; o < shape.out; ++o)
    for (int i = 0; i < shape.in; ++i)
      for (int tap = 0; tap < 9; ++tap)
        weight_at(c, o, i, tap) = weights.weight[static_cast<std::size_t>((o * shape.in + i) * 9 + tap)];
  return c;
}

DirectConvolution<FourChannels> make_direct_byte_convolution(const ConvolutionShape& shape,
                                                             const ConvolutionWeights& weights,
                                                             float output_scale) {
  auto c = empty_convolution<FourChannels>(shape);
  c.output = line_of_bytes(shape, weights, output_scale);
  const QuantizedWeights& quantized = weights.quantized.value();
  for (int o = 0; o < shape.out; ++o)
    for (int i = 0; i < shape.in; ++i)
      for (int tap = 0; tap < 9; ++tap) {
        const auto byte = static_cast<std::uint8_t>(
            quantized.weight[static_cast<std::size_t>((o * shape.in + i) * 9 + tap)]);
        weight_at(c, o, i / 4, tap) |= static_cast<std::int32_t>(std::uint32_t{byte} << (8 * (i % 4)));
      }
  return c;
}

}  // namespace fmbym
