#include "masking/output_line.hpp"

#include <limits>

namespace fmbym {

OutputLine line_of_floats(const ConvolutionShape& shape, const ConvolutionWeights& weights,
                          float output_scale) {
  OutputLine line;
  line.gain.assign(static_cast<std::size_t>(shape.out), 1 / output_scale);
  for (const float bias : weights.bias) line.bias.push_back(bias / output_scale);
  line.lowest = shape.normalised ? 0 : std::numeric_limits<float>::lowest();
  return line;
}

OutputLine line_of_bytes(const ConvolutionShape& shape, const ConvolutionWeights& weights,
                         float output_scale) {
  OutputLine line = line_of_floats(shape, weights, output_scale);
  const QuantizedWeights& quantized = weights.quantized.value();
  for (std::size_t o = 0; o < line.gain.size(); ++o)
    line.gain[o] *= quantized.weight_scale[o] * quantized.input_scale;
  return line;
}

}  // namespace fmbym
