// Models for tests, smaller than real ones only in what they know.
#pragma once

#include <algorithm>
#include <cmath>

#include "fmbym/masking/mask_model.hpp"

namespace fmbym::testing {

// The model in 8 bits: weights by the largest of an output channel, inputs by a round number. The first and
// the last convolution stay in floating point.
inline MaskModel quantized(MaskModel model) {
  for (std::size_t i = 1; i + 1 < model.layers.size(); ++i) {
    ConvolutionWeights& layer = model.layers[i];
    QuantizedWeights integers{{}, {}, 0.01f};
    const std::size_t inputs = layer.weight.size() / layer.bias.size();
    for (std::size_t out = 0; out < layer.bias.size(); ++out) {
      float largest = 0;
      for (std::size_t k = 0; k < inputs; ++k)
        largest = std::max(largest, std::abs(layer.weight[out * inputs + k]));
      integers.weight_scale.push_back(largest / 127);
      for (std::size_t k = 0; k < inputs; ++k) {
        float& weight = layer.weight[out * inputs + k];
        integers.weight.push_back(static_cast<std::int8_t>(std::lround(weight / (largest / 127))));
        weight = static_cast<float>(integers.weight.back()) * (largest / 127);
      }
    }
    layer.quantized = integers;
  }
  model.precision = Precision::int8;
  return model;
}

}  // namespace fmbym::testing
