#include "fmbym/masking/quantizer.hpp"

#include <algorithm>
#include <cmath>

#include "fmbym/core/error.hpp"
#include "masking/levels.hpp"

namespace fmbym {
namespace {

constexpr float kSmallestRange = 1e-6f;  // of a channel that is always dark

// The largest weight of every output channel becomes 127.
QuantizedWeights quantize(const std::vector<float>& weight, int out, float input_scale) {
  QuantizedWeights quantized;
  quantized.input_scale = input_scale;
  const std::size_t each = weight.size() / static_cast<std::size_t>(out);
  for (auto channel = weight.begin(); channel != weight.end(); channel += static_cast<std::ptrdiff_t>(each)) {
    float largest = kSmallestRange;
    for (auto w = channel; w != channel + static_cast<std::ptrdiff_t>(each); ++w)
      largest = std::max(largest, std::abs(*w));
    const float scale = largest / 127;
    quantized.weight_scale.push_back(scale);
    for (auto w = channel; w != channel + static_cast<std::ptrdiff_t>(each); ++w)
      quantized.weight.push_back(static_cast<std::int8_t>(std::lround(*w / scale)));
  }
  return quantized;
}

std::vector<float> dequantized(const QuantizedWeights& quantized) {
  std::vector<float> weight;
  const std::size_t each = quantized.weight.size() / quantized.weight_scale.size();
  for (std::size_t i = 0; i < quantized.weight.size(); ++i)
    weight.push_back(static_cast<float>(quantized.weight[i]) * quantized.weight_scale[i / each]);
  return weight;
}

}  // namespace

Quantizer::Quantizer(const MaskModel& model, int size, int threads)
    : model_(model), network_(model, size, threads), largest_(convolutions().size()) {
  if (model.precision != Precision::fp32)
    throw Error("the model is in 8 bits already; quantize the one in floating point that it was made from");
}

// A mean of the largest values, not the largest of all: one odd scan should not make the unit coarse for all.
void Quantizer::observe(const Image& current, const Image& reference) {
  network_.predict(current, reference);
  for (std::size_t i = 0; i < largest_.size(); ++i) {
    const std::vector<float> activations = network_.activations(static_cast<int>(i));
    largest_[i] += *std::max_element(activations.begin(), activations.end());
  }
  ++pairs_;
}

float Quantizer::range(int convolution) const {
  const double mean = largest_[static_cast<std::size_t>(convolution)] / pairs_;
  return std::max(kSmallestRange, static_cast<float>(mean));
}

// What is pooled for the level below and what comes back from there meet again, so they share a unit.
float Quantizer::input_range(int convolution) const {
  for (int level = 0; level + 1 < kLevels; ++level)
    if (convolution == encoder(level + 1) || convolution == decoder(level))
      return std::max(range(encoder(level) + 1), range(decoder(level) - 1));
  return range(convolution - 1);
}

MaskModel Quantizer::quantized() const {
  if (pairs_ == 0) throw Error("no scans were observed; two at least are needed to quantize a model");
  MaskModel model = model_;
  model.precision = Precision::int8;
  for (int i = 1; i < kLastConvolution; ++i) {
    ConvolutionWeights& layer = model.layers[static_cast<std::size_t>(i)];
    layer.quantized =
        quantize(layer.weight, convolutions()[static_cast<std::size_t>(i)].out, input_range(i) / 255);
    layer.weight = dequantized(*layer.quantized);
  }
  return model;
}

}  // namespace fmbym
