// What MaskNetwork computes, as Table II of the paper has it: plain loops in double precision. What goes into
// a quantized layer is rounded to its unit first, with 8 bits for it, wherever the network does so.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "fmbym/core/image.hpp"
#include "fmbym/masking/mask_model.hpp"

namespace fmbym::testing {

struct Features {
  int channels = 0, size = 0;  // pixels a side
  std::vector<double> values;  // (channel, row, column)

  Features(int channel_count, int side)
      : channels(channel_count), size(side), values(std::size_t(channel_count) * pixels()) {}

  std::size_t pixels() const { return std::size_t(size) * std::size_t(size); }
  double* plane(int channel) { return values.data() + std::size_t(channel) * pixels(); }
  const double* plane(int channel) const { return values.data() + std::size_t(channel) * pixels(); }
  double& at(int channel, int row, int column) { return plane(channel)[row * size + column]; }
  double at(int channel, int row, int column) const { return plane(channel)[row * size + column]; }
};

// 3 by 3 with zeros around the image, and the bias.
inline Features convolve(const Features& in, int out_channels, const ConvolutionWeights& layer) {
  Features out(out_channels, in.size);
  const int n = in.size;
  for (int o = 0; o < out_channels; ++o) {
    std::fill(out.plane(o), out.plane(o) + out.pixels(), double(layer.bias[std::size_t(o)]));
    for (int i = 0; i < in.channels; ++i)
      for (int tap = 0; tap < 9; ++tap) {
        const int down = tap / 3 - 1, right = tap % 3 - 1;
        const double weight = layer.weight[std::size_t((o * in.channels + i) * 9 + tap)];
        for (int row = std::max(0, -down); row < n - std::max(0, down); ++row) {
          double* to = out.plane(o) + row * n;
          const double* from = in.plane(i) + (row + down) * n + right;
          for (int column = std::max(0, -right); column < n - std::max(0, right); ++column)
            to[column] += weight * from[column];
        }
      }
  }
  return out;
}

inline Features rectify(Features features) {
  for (double& value : features.values) value = std::max(value, 0.0);
  return features;
}

// The largest of every 2 by 2; an odd row or column at the end has no partner and is left out.
inline Features max_pool(const Features& in) {
  Features out(in.channels, in.size / 2);
  for (int c = 0; c < out.channels; ++c)
    for (int row = 0; row < out.size; ++row)
      for (int column = 0; column < out.size; ++column)
        out.at(c, row, column) =
            std::max({in.at(c, 2 * row, 2 * column), in.at(c, 2 * row, 2 * column + 1),
                      in.at(c, 2 * row + 1, 2 * column), in.at(c, 2 * row + 1, 2 * column + 1)});
  return out;
}

// Bilinear, the corners of both images on each other: the middle of pixel k lies at (k + 0.5) · from / to
// - 0.5, and at the edge the outermost pixel goes on. First down, then across; the two say how to go a
// fraction of the way from one value to another.
template <class Down, class Across>
Features upsample(const Features& in, int size, const Down& go_down, const Across& go_across) {
  struct Place {
    int low, high;
    double fraction;  // of the way to `high`
  };
  const auto place = [&](int k) {
    const double at = std::max(0.0, (k + 0.5) * in.size / size - 0.5);
    const int low = std::min(static_cast<int>(at), in.size - 1), high = std::min(low + 1, in.size - 1);
    return Place{low, high, high > low ? at - low : 0};
  };
  Features out(in.channels, size);
  for (int c = 0; c < out.channels; ++c)
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column) {
        const auto [top, bottom, down] = place(row);
        const auto [left, right, across] = place(column);
        out.at(c, row, column) =
            go_across(go_down(in.at(c, top, left), in.at(c, bottom, left), down),
                      go_down(in.at(c, top, right), in.at(c, bottom, right), down), across);
      }
  return out;
}

inline Features upsample(const Features& in, int size) {
  const auto go = [](double from, double to, double fraction) {
    return (1 - fraction) * from + fraction * to;
  };
  return upsample(in, size, go, go);
}

// Of whole numbers of a unit, in fixed point: values have 7 bits after the point, fractions 15.
inline Features upsample_integers(Features in, int size, double unit) {
  for (double& value : in.values) value = 128 * std::round(value / unit);
  const auto times = [](double value, double fraction) {
    return std::floor(value * std::min(32767.0, std::round(32768 * fraction)) / 32768 + 0.5);
  };
  Features out = upsample(
      in, size, [&](double from, double to, double f) { return from + times(to - from, f); },
      [&](double from, double to, double f) { return times(from, 1 - f) + times(to, f); });
  for (double& value : out.values) value = unit * std::floor(value / 128 + 0.5);
  return out;
}

inline Features concatenate(const Features& first, const Features& second) {
  Features both(first.channels + second.channels, first.size);
  std::copy(first.values.begin(), first.values.end(), both.values.begin());
  std::copy(second.values.begin(), second.values.end(), both.plane(first.channels));
  return both;
}

inline Features network_input(const ModelInfo& info, const Image& current, const Image& reference) {
  Features input(2, current.size());
  const auto normalised = [&](float pixel) { return (pixel - info.input_mean) * info.input_scale; };
  std::ranges::transform(current.pixels(), input.plane(0), normalised);
  std::ranges::transform(reference.pixels(), input.plane(1), normalised);
  return input;
}

// To whole numbers of the unit in which the layer takes its input, if it does.
inline Features rounded_for(const MaskModel& model, std::size_t layer, Features features) {
  if (layer >= model.layers.size() || !model.layers[layer].quantized) return features;
  const double unit = model.layers[layer].quantized->input_scale;
  for (double& value : features.values) value = unit * std::clamp(std::nearbyint(value / unit), 0.0, 255.0);
  return features;
}

// What goes into a convolution, given the images and what those before it made.
inline Features input_of(std::size_t layer, const MaskModel& model, const Features& images,
                         const std::vector<Features>& outputs) {
  constexpr std::size_t bottom = 12;  // rows h1 to h6 go down, h7 to h11 up
  if (layer == 0) return images;
  const Features& before = outputs[layer - 1];
  if (layer % 2 == 1 || layer + 1 == convolutions().size()) return before;
  if (layer < bottom) return max_pool(before);
  const Features& skip = outputs[2 * bottom - 3 - layer];
  const auto& integers = model.layers[layer].quantized;
  return concatenate(
      integers ? upsample_integers(before, skip.size, integers->input_scale) : upsample(before, skip.size),
      skip);
}

// What it makes of that: after the ReLU, the last before the sigmoid.
inline Features output_of(std::size_t layer, const MaskModel& model, const Features& in) {
  const ConvolutionShape& shape = convolutions()[layer];
  const Features out = convolve(in, shape.out, model.layers[layer]);
  return rounded_for(model, layer + 1, shape.normalised ? rectify(out) : out);
}

inline std::vector<Features> reference_features(const MaskModel& model, const Image& current,
                                                const Image& reference) {
  const Features images = network_input(model.info, current, reference);
  std::vector<Features> outputs;
  for (std::size_t layer = 0; layer < convolutions().size(); ++layer)
    outputs.push_back(output_of(layer, model, input_of(layer, model, images, outputs)));
  return outputs;
}

inline std::vector<std::vector<float>> reference_activations(const MaskModel& model, const Image& current,
                                                             const Image& reference) {
  std::vector<std::vector<float>> activations;
  for (const Features& features : reference_features(model, current, reference))
    activations.emplace_back(features.values.begin(), features.values.end());
  return activations;
}

struct ReferenceMasks {
  Image current, reference;
};

inline ReferenceMasks reference_masks(const MaskModel& model, const Image& current, const Image& reference) {
  const Features logits = reference_features(model, current, reference).back();
  const auto mask = [&](int channel) {
    Image image(current.size(), current.metres_per_pixel());
    std::transform(logits.plane(channel), logits.plane(channel) + logits.pixels(), image.pixels().begin(),
                   [](double logit) { return static_cast<float>(1 / (1 + std::exp(-logit))); });
    return image;
  };
  return {mask(0), mask(1)};
}

}  // namespace fmbym::testing
