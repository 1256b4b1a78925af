// Batch norm and ReLU in one pass each way, on pixels whose channels lie side by side: (pixel, channel).
// Vector code apart from torch; fast_layers.hpp has the layer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fmbym::training {

struct ChannelStatistics {
  std::vector<double> mean, variance;  // biased: divided by the number of pixels
};
ChannelStatistics channel_statistics(const float* in, std::int64_t pixels, std::int64_t channels);

// in · scale + shift, by channel.
struct ChannelLine {
  std::span<const float> scale, shift;
};

// out = max(0, line(in))
void line_relu(const float* in, const ChannelLine& line, std::int64_t pixels, float* out);

// By channel, over the pixels that the ReLU let pass.
struct ChannelSums {
  std::vector<double> gradient, gradient_times_in;
};
ChannelSums passed_sums(const float* in, const float* gradient, const ChannelLine& line, std::int64_t pixels,
                        std::span<const float> mean);  // of `in`; taken from it before it is multiplied

// out = scale · (gradient where the ReLU let pass) + slope · in + offset, where scale is that of the line.
void line_relu_backward(const float* in, const float* gradient, const ChannelLine& line,
                        std::span<const float> slope, std::span<const float> offset, std::int64_t pixels,
                        float* out);

}  // namespace fmbym::training
