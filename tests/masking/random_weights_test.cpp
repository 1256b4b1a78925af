#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fmbym/core/checksum.hpp"
#include "fmbym/masking/mask_model.hpp"

namespace fmbym {
namespace {

struct Features {
  int channels = 0, size = 0;
  std::vector<float> values;  // (channel, row, column)

  float at(int c, int y, int x) const {
    if (y < 0 || x < 0 || y >= size || x >= size) return 0;
    return values[static_cast<std::size_t>((c * size + y) * size + x)];
  }
};

float root_mean_square(const Features& features) {
  double sum = 0;
  for (const float value : features.values) sum += double{value} * value;
  return static_cast<float>(std::sqrt(sum / static_cast<double>(features.values.size())));
}

float convolved(const Features& in, const float* weight, int y, int x) {
  float sum = 0;
  for (int c = 0; c < in.channels; ++c)
    for (int k = 0; k < 9; ++k) sum += *weight++ * in.at(c, y + k / 3 - 1, x + k % 3 - 1);
  return sum;
}

Features convolve_and_rectify(const Features& in, const ConvolutionWeights& layer) {
  Features out{static_cast<int>(layer.bias.size()), in.size, {}};
  for (int c = 0; c < out.channels; ++c)
    for (int i = 0; i < in.size * in.size; ++i)
      out.values.push_back(
          std::max(0.f, layer.bias[static_cast<std::size_t>(c)] +
                            convolved(in, &layer.weight[static_cast<std::size_t>(c * in.channels * 9)],
                                      i / in.size, i % in.size)));
  return out;
}

Features pooled(const Features& in) {
  Features out{in.channels, in.size / 2, {}};
  for (int c = 0; c < in.channels; ++c)
    for (int i = 0; i < out.size * out.size; ++i) {
      const int y = i / out.size * 2, x = i % out.size * 2;
      out.values.push_back(
          std::max({in.at(c, y, x), in.at(c, y, x + 1), in.at(c, y + 1, x), in.at(c, y + 1, x + 1)}));
    }
  return out;
}

// Through all twelve convolutions of the encoder. Pooling takes the largest, hence more room above.
TEST(RandomWeights, NeitherVanishNorExplode) {
  const MaskModel model = random_model(1, 127);
  Features features{2, 64, {}};
  for (int i = 0; i < 2 * 64 * 64; ++i)
    features.values.push_back(std::sin(0.37f * static_cast<float>(i * i % 1009)));
  const float input = root_mean_square(features);
  for (std::size_t i = 0; i < 12; ++i) {
    if (i > 0 && i % 2 == 0) features = pooled(features);
    features = convolve_and_rectify(features, model.layers[i]);
    EXPECT_GT(root_mean_square(features), 0.2f * input) << convolutions()[i].name;
    EXPECT_LT(root_mean_square(features), 20 * input) << convolutions()[i].name;
  }
}

// On every machine: nothing but integers, products, sums and square roots went into it.
TEST(RandomWeights, AreTheSameForTheSameSeed) {
  EXPECT_EQ(sha256(to_bytes(random_weights(1, 127))),
            "da3c8d0e8be8f31353a65f3a5c88527bc33a6843466d0f9fb6ca9ec0e75bc146");
  EXPECT_TRUE(random_weights(7, 255) == random_weights(7, 255));
  EXPECT_FALSE(random_weights(7, 255).tensors == random_weights(8, 255).tensors);
}

TEST(RandomWeights, KnowTheirResolution) {
  EXPECT_EQ(random_model(1, 255).info.resolution, 255);
  EXPECT_DOUBLE_EQ(random_model(1, 255).info.metres_per_pixel, 0.4);
  EXPECT_DOUBLE_EQ(random_model(1, 127).info.metres_per_pixel, 0.8);
}

}  // namespace
}  // namespace fmbym
