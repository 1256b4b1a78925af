// The reference's pieces, on cases worked out by hand; MaskNetwork is held to it elsewhere.
#include "masking/reference_network.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace fmbym::testing {
namespace {

using Values = std::vector<double>;

Features features(int channels, int size, const Values& values) {
  Features made(channels, size);
  made.values = values;
  return made;
}

Features counting(int channels, int size) {
  Features made(channels, size);
  std::iota(made.values.begin(), made.values.end(), 1);
  return made;
}

ConvolutionWeights weights(std::vector<float> weight, std::vector<float> bias) {
  return {std::move(weight), std::move(bias), {}};
}

TEST(ReferenceConvolution, SumsTheNeighboursWithZerosAround) {
  const Features out = convolve(counting(1, 3), 1, weights(std::vector<float>(9, 1), {0.5}));
  EXPECT_EQ(out.values, (Values{12.5, 21.5, 16.5, 27.5, 45.5, 33.5, 24.5, 39.5, 28.5}));
}

// The weight at (row, column) of the kernel meets the pixel at that place around the middle: nothing is
// mirrored.
TEST(ReferenceConvolution, DoesNotMirrorItsKernel) {
  std::vector<float> upper_right(9);
  upper_right[2] = 1;
  const Features out = convolve(counting(1, 3), 1, weights(upper_right, {0}));
  EXPECT_EQ(out.values, (Values{0, 0, 0, 2, 3, 0, 5, 6, 0}));
}

// Out channel 0 is twice the first channel, out channel 1 the sum of both, and 1.
TEST(ReferenceConvolution, HasWeightsInTheOrderOutIn) {
  std::vector<float> weight(2 * 2 * 9);
  const auto middle = [&](int out, int in) -> float& { return weight[std::size_t((out * 2 + in) * 9 + 4)]; };
  middle(0, 0) = 2;
  middle(1, 0) = middle(1, 1) = 1;
  const Features out = convolve(features(2, 2, {1, 2, 3, 4, 10, 20, 30, 40}), 2, weights(weight, {0, 1}));
  EXPECT_EQ(out.values, (Values{2, 4, 6, 8, 12, 23, 34, 45}));
}

TEST(ReferenceRelu, KeepsWhatIsPositive) {
  EXPECT_EQ(rectify(features(1, 2, {-1, 0, 2, -0.5})).values, (Values{0, 0, 2, 0}));
}

TEST(ReferencePool, TakesTheLargestAndLeavesTheOddOnesOut) {
  EXPECT_EQ(max_pool(counting(1, 5)).values, (Values{7, 9, 17, 19}));
  EXPECT_EQ(max_pool(features(2, 2, {1, 4, 3, 2, -1, -4, -3, -2})).values, (Values{4, -1}));
}

// As torch.nn.functional.interpolate(x, size, mode="bilinear", align_corners=False) has it.
TEST(ReferenceUpsampling, PutsPixelsAtHalves) {
  // Along a side of two: at -0.25 (the edge), 0.25, 0.75, 1.25 (the edge).
  EXPECT_EQ(upsample(features(1, 2, {0, 1, 0, 1}), 4).values,
            (Values{0, 0.25, 0.75, 1, 0, 0.25, 0.75, 1, 0, 0.25, 0.75, 1, 0, 0.25, 0.75, 1}));
  // To three: at -1/6 (the edge), 1/2, 7/6 (the edge).
  EXPECT_EQ(upsample(features(1, 2, {0, 2, 4, 6}), 3).values, (Values{0, 1, 2, 2, 3, 4, 4, 5, 6}));
  EXPECT_EQ(upsample(features(1, 1, {7}), 2).values, (Values{7, 7, 7, 7}));
  EXPECT_EQ(upsample(counting(2, 3), 3).values, counting(2, 3).values);
}

// 7 bits after the point are plenty: only what lies half-way between two integers may fall to the other one.
TEST(ReferenceUpsampling, OfIntegersRoundsWhatLiesBetween) {
  const Features in = features(2, 3, {0, 255, 3, 100, 7, 90, 255, 255, 0, 9, 8, 7, 6, 5, 4, 3, 2, 1});
  for (const int size : {6, 7}) {
    const Values between = upsample(in, size).values, found = upsample_integers(in, size, 1).values;
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], between[i], 0.52);
  }
}

TEST(ReferenceConcatenation, PutsTheFirstChannelsFirst) {
  EXPECT_EQ(concatenate(features(1, 1, {1}), features(2, 1, {2, 3})).values, (Values{1, 2, 3}));
}

TEST(ReferenceInput, IsTheTwoScansNormalised) {
  Image current(2, 1), reference(2, 1);
  current.pixels() = {0, 0.25, 0.5, 1};
  reference.pixels() = {1, 1, 0, 0.5};
  ModelInfo info;
  info.input_mean = 0.5;
  info.input_scale = 4;
  EXPECT_EQ(network_input(info, current, reference).values, (Values{-2, -1, 0, 2, 2, 2, -2, 0}));
}

Image noise(int size, double seed) {
  Image image(size, 0.8);
  double value = seed;
  for (float& pixel : image.pixels()) {
    value = std::fmod(997 * value + 0.123, 1);
    pixel = static_cast<float>(value);
  }
  return image;
}

TEST(ReferenceNetwork, HasTheSizesOfTheTable) {
  const auto activations = reference_activations(random_model(1, 127), noise(127, 0.1), noise(127, 0.2));
  const int sizes[] = {127, 63, 31, 15, 7, 3, 7, 15, 31, 63, 127};
  ASSERT_EQ(activations.size(), 23u);
  for (std::size_t i = 0; i < 22; ++i)
    EXPECT_EQ(activations[i].size(), std::size_t(convolutions()[i].out * sizes[i / 2] * sizes[i / 2])) << i;
  EXPECT_EQ(activations[22].size(), 2u * 127 * 127);
}

TEST(ReferenceNetwork, PredictsTwoDifferentMasks) {
  const auto masks = reference_masks(random_model(1, 64), noise(64, 0.1), noise(64, 0.2));
  for (const Image* mask : {&masks.current, &masks.reference}) {
    EXPECT_GT(std::ranges::min(mask->pixels()), 0);
    EXPECT_LT(std::ranges::max(mask->pixels()), 1);
    EXPECT_GT(std::set(mask->pixels().begin(), mask->pixels().end()).size(), 1000u);
  }
  EXPECT_NE(masks.current.pixels(), masks.reference.pixels());
}

TEST(ReferenceNetwork, OfAConstantLastLayerIsItsSigmoid) {
  MaskModel model = random_model(1, 64);
  std::ranges::fill(model.layers.back().weight, 0.f);
  model.layers.back().bias = {0, std::log(3.f)};
  const auto masks = reference_masks(model, noise(64, 0.1), noise(64, 0.2));
  for (const float value : masks.current.pixels()) EXPECT_FLOAT_EQ(value, 0.5);
  for (const float value : masks.reference.pixels()) EXPECT_FLOAT_EQ(value, 0.75);
}

}  // namespace
}  // namespace fmbym::testing
