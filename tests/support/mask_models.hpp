// Models of the mask network whose masks are known without running it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "fmbym/masking/mask_model.hpp"

namespace fmbym::testing {

// Logits: 20 keeps everything, 0 halves it, -200 hides it, to the last digit.
inline constexpr float kKeep = 20, kHalve = 0, kHide = -200;

// The same everywhere, whatever the scans show.
inline MaskModel constant_masks(int resolution, float current_logit, float reference_logit) {
  MaskModel model = random_model(1, resolution);
  std::ranges::fill(model.layers.back().weight, 0.f);
  model.layers.back().bias = {current_logit, reference_logit};
  return model;
}

// With one convolution in 8 bits, which makes it a model in int8.
inline MaskModel with_an_int8_layer(MaskModel model) {
  ConvolutionWeights& layer = model.layers[1];
  float largest = 0;
  for (const float weight : layer.weight) largest = std::max(largest, std::abs(weight));
  const float scale = largest / 127;
  QuantizedWeights integers{{}, std::vector<float>(layer.bias.size(), scale), 0.01f};
  for (float& weight : layer.weight) {
    integers.weight.push_back(static_cast<std::int8_t>(std::lround(weight / scale)));
    weight = static_cast<float>(integers.weight.back()) * scale;
  }
  layer.quantized = integers;
  model.precision = Precision::int8;
  return model;
}

}  // namespace fmbym::testing
