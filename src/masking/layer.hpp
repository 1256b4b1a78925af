// A convolution of the network, made for the maps that it works on: Winograd's on planes, direct on grids.
#pragma once

#include <utility>
#include <vector>

#include "masking/cut.hpp"
#include "masking/direct.hpp"
#include "masking/winograd.hpp"

namespace fmbym {

template <class Convolution, class Part>
struct Layer {
  Convolution convolution;
  std::vector<Part> parts;  // it is done in
};

template <class Convolution>
auto cut(Convolution convolution, int length, int threads) {
  auto parts = cut_into_parts(convolution, length, threads);
  return Layer<Convolution, typename decltype(parts)::value_type>{std::move(convolution), std::move(parts)};
}

// The output is divided by output_scale.
inline auto make_layer(const Planes<float>& in, const ConvolutionShape& shape,
                       const ConvolutionWeights& weights, float output_scale, int threads) {
  return cut(make_convolution(shape, weights, best_tile(in.cells()), output_scale), in.cells(), threads);
}
inline auto make_layer(const Planes<std::uint8_t>& in, const ConvolutionShape& shape,
                       const ConvolutionWeights& weights, float output_scale, int threads) {
  return cut(make_quantized_convolution(shape, weights, best_tile(in.cells()), output_scale), in.cells(),
             threads);
}
inline auto make_layer(const Grid<float>& in, const ConvolutionShape& shape,
                       const ConvolutionWeights& weights, float output_scale, int threads) {
  return cut(make_direct_convolution(shape, weights, output_scale), in.size(), threads);
}
inline auto make_layer(const Grid<FourChannels>& in, const ConvolutionShape& shape,
                       const ConvolutionWeights& weights, float output_scale, int threads) {
  return cut(make_direct_byte_convolution(shape, weights, output_scale), in.size(), threads);
}

// What one thread needs for any of its parts.
template <class Convolution, class Part>
ScratchSize scratch_size(const Layer<Convolution, Part>& layer) {
  ScratchSize most;
  for (const Part& part : layer.parts) most = larger(most, scratch_size(layer.convolution, part));
  return most;
}

}  // namespace fmbym
