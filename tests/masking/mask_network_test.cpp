// The fast network against plain loops, for every kind of size, number, instruction set and thread.
#include "fmbym/masking/mask_network.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "fmbym/core/error.hpp"
#include "fmbym/masking/quantizer.hpp"
#include "masking/images.hpp"
#include "masking/models.hpp"
#include "masking/reference_network.hpp"
#include "support/mask_models.hpp"

namespace fmbym {
namespace {

using testing::noise;
using testing::reference_activations;
using testing::reference_masks;

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    largest = std::max(largest, double(std::abs(a[i] - b[i])));
  return largest;
}

MaskModel quantized_on_noise(const MaskModel& model, int size) {
  Quantizer quantizer(model, size);
  quantizer.observe(noise(size, 1), noise(size, 2));
  return quantizer.quantized();
}

// Makes the processor seem to have these instruction sets only; 0: all that it has.
void use_targets(std::int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

class MaskNetworkOfSize : public ::testing::TestWithParam<int> {};

// 1e-4 is what a mask may be off; single precision makes about 3e-6 of it.
TEST_P(MaskNetworkOfSize, MasksAreThoseOfPlainLoops) {
  const int size = GetParam();
  const MaskModel model = random_model(1, size);
  const Image current = noise(size, 1), reference = noise(size, 2);
  MaskNetwork network(model, size);
  const Masks masks = network.predict(current, reference);
  const auto expected = reference_masks(model, current, reference);
  EXPECT_LT(largest_difference(masks.current.pixels(), expected.current.pixels()), 2e-5);
  EXPECT_LT(largest_difference(masks.reference.pixels(), expected.reference.pixels()), 2e-5);
}
INSTANTIATE_TEST_SUITE_P(Sizes, MaskNetworkOfSize, ::testing::Values(64, 65, 66, 67, 127, 201, 255));

TEST(MaskNetwork, EveryLayerIsThatOfPlainLoops) {
  const MaskModel model = random_model(3, 127);
  const Image current = noise(127, 1), reference = noise(127, 2);
  MaskNetwork network(model, 127);
  network.predict(current, reference);
  const auto expected = reference_activations(model, current, reference);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_LT(largest_difference(network.activations(int(i)), expected[i]), 2e-5) << convolutions()[i].name;
}

// How many outputs of a convolution in 8 bits are not what plain loops make of the network's own input to it.
// Whole numbers are the same whichever way they are computed; only a sum within a rounding error of the
// middle between two of them may fall to either side.
std::vector<double> shares_of_other_integers(const MaskModel& model, const Image& current,
                                             const Image& reference) {
  MaskNetwork network(model, current.size());
  network.predict(current, reference);
  const testing::Features images = testing::network_input(model.info, current, reference);
  std::vector<testing::Features> outputs;
  std::vector<double> shares;
  for (std::size_t i = 0; i < convolutions().size(); ++i) {
    const testing::Features expected =
        testing::output_of(i, model, testing::input_of(i, model, images, outputs));
    const std::vector<float> found = network.activations(int(i));
    const bool integers = i + 1 < convolutions().size() && model.layers[i + 1].quantized;
    const double unit = integers ? model.layers[i + 1].quantized->input_scale : 1e-3;
    std::size_t different = 0;
    for (std::size_t k = 0; k < found.size(); ++k)
      different += std::abs(found[k] - expected.values[k]) > unit / 2;
    shares.push_back(double(different) / double(found.size()));
    outputs.push_back(expected);
    outputs.back().values.assign(found.begin(), found.end());
  }
  return shares;
}

// Runs the rest of a test once with each of the two ways to convolve bytes, where the processor has the
// direct one; else the other one twice.
class BytesOf : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (GetParam() == std::string("Winograd")) use_targets(hwy::SupportedTargets() & ~HWY_AVX3_DL);
  }
  void TearDown() override { use_targets(0); }
};
INSTANTIATE_TEST_SUITE_P(Ways, BytesOf, ::testing::Values("Winograd", "Direct"),
                         [](const auto& way) { return way.param; });

TEST_P(BytesOf, LayersAreThoseOfPlainLoops) {
  for (const int size : {64, 67, 127}) {
    const MaskModel model = quantized_on_noise(random_model(3, size), size);
    const auto shares = shares_of_other_integers(model, noise(size, 1), noise(size, 2));
    for (std::size_t i = 0; i < shares.size(); ++i)
      EXPECT_LT(shares[i], 1e-3) << convolutions()[i].name << " at " << size;
  }
}

TEST_P(BytesOf, EightBitsAreCloseToFloatingPoint) {
  const MaskModel model = random_model(1, 127);
  const Image current = noise(127, 1), reference = noise(127, 2);
  MaskNetwork exact(model, 127), fast(quantized_on_noise(model, 127), 127);
  EXPECT_LT(largest_difference(exact.predict(current, reference).current.pixels(),
                               fast.predict(current, reference).current.pixels()),
            0.02);
}

// The largest weights there are: sums that would not fit into 32 bits if nothing were done about it.
TEST_P(BytesOf, LayersDoNotOverflow) {
  MaskModel model = quantized_on_noise(random_model(1, 127), 127);
  for (std::size_t i = 1; i + 1 < model.layers.size(); ++i) {
    ConvolutionWeights& layer = model.layers[i];
    QuantizedWeights& integers = *layer.quantized;
    for (std::size_t k = 0; k < layer.weight.size(); ++k) {
      const float scale = integers.weight_scale[k * layer.bias.size() / layer.weight.size()] / 16;
      integers.weight[k] = k / 9 % 2 ? std::int8_t(127) : std::int8_t(-127);
      layer.weight[k] = float(integers.weight[k]) * scale;
    }
    for (float& scale : integers.weight_scale) scale /= 16;
  }
  const auto shares = shares_of_other_integers(model, noise(127, 1), noise(127, 2));
  for (std::size_t i = 0; i < shares.size(); ++i) EXPECT_LT(shares[i], 2e-3) << convolutions()[i].name;
}

// Each of the processor's instruction sets in turn.
TEST(MaskNetwork, EveryInstructionSetGivesTheSame) {
  const MaskModel model = random_model(1, 127), integers = quantized_on_noise(model, 127);
  const Image current = noise(127, 1), reference = noise(127, 2);
  const auto expected = reference_masks(model, current, reference);
  use_targets(hwy::SupportedTargets() & ~HWY_AVX3_DL);
  const std::vector<float> whole = MaskNetwork(integers, 127).predict(current, reference).current.pixels();
  use_targets(0);
  // Where bytes are convolved directly, the first layer, in floating point, has other last bits, and now and
  // then a byte falls to its neighbour.
  EXPECT_LT(
      largest_difference(MaskNetwork(integers, 127).predict(current, reference).current.pixels(), whole),
      0.01);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    use_targets(target);
    MaskNetwork network(model, 127), fast(integers, 127);
    EXPECT_LT(
        largest_difference(network.predict(current, reference).current.pixels(), expected.current.pixels()),
        2e-5)
        << hwy::TargetName(target);
    EXPECT_LT(largest_difference(fast.predict(current, reference).current.pixels(), whole), 2e-3)
        << hwy::TargetName(target);
  }
  use_targets(0);
}

TEST_P(BytesOf, ThreadsChangeNothing) {
  const Image current = noise(100, 1), reference = noise(100, 2);
  const MaskModel model = random_model(1, 100);
  for (const MaskModel& m : {model, quantized_on_noise(model, 100)}) {
    const std::vector<float> alone = MaskNetwork(m, 100).predict(current, reference).current.pixels();
    for (const int threads : {2, 3, 7}) {
      MaskNetwork network(m, 100, threads);
      for (int i = 0; i < 3; ++i)
        EXPECT_EQ(network.predict(current, reference).current.pixels(), alone) << threads << " threads";
    }
  }
}

TEST_P(BytesOf, ThePairBeforeLeavesNoTrace) {
  const Image current = noise(65, 1), reference = noise(65, 2), other = noise(65, 3);
  for (const MaskModel& model : {random_model(1, 65), quantized_on_noise(random_model(1, 65), 65)}) {
    MaskNetwork used(model, 65), fresh(model, 65);
    used.predict(other, other);
    EXPECT_EQ(used.predict(current, reference).reference.pixels(),
              fresh.predict(current, reference).reference.pixels());
  }
}

TEST_P(BytesOf, BothWaysIsTheMeanOfBothOrders) {
  const Image current = noise(65, 1), reference = noise(65, 2);
  for (const MaskModel& model : {random_model(1, 65), quantized_on_noise(random_model(1, 65), 65)}) {
    MaskNetwork forwards(model, 65), backwards(model, 65), both(model, 65);
    const Masks there = forwards.predict(current, reference), back = backwards.predict(reference, current),
                mean = both.predict_both_ways(current, reference);
    for (std::size_t i = 0; i < mean.current.pixels().size(); ++i) {
      ASSERT_EQ(mean.current.pixels()[i], 0.5f * (there.current.pixels()[i] + back.reference.pixels()[i]));
      ASSERT_EQ(mean.reference.pixels()[i], 0.5f * (there.reference.pixels()[i] + back.current.pixels()[i]));
    }
  }
}

// The last convolution in 8 bits too, as a file may have it.
TEST_P(BytesOf, TakesALastLayerInEightBits) {
  const Image current = noise(65, 1), reference = noise(65, 2);
  MaskModel model = testing::quantized(random_model(1, 65));
  const std::vector<float> before = MaskNetwork(model, 65).predict(current, reference).current.pixels();
  ConvolutionWeights& last = model.layers.back();
  last.quantized = QuantizedWeights{{}, {}, 0.01f};
  for (std::size_t out = 0; out < 2; ++out) {
    last.quantized->weight_scale.push_back(0.01f);
    for (std::size_t k = 0; k < 72; ++k) {
      last.quantized->weight.push_back(std::int8_t(std::lround(last.weight[72 * out + k] / 0.01f)));
      last.weight[72 * out + k] = 0.01f * float(last.quantized->weight.back());
    }
  }
  EXPECT_LT(largest_difference(MaskNetwork(model, 65).predict(current, reference).current.pixels(), before),
            0.05);
}

TEST(MaskNetwork, RefusesWhatItCannotDo) {
  const MaskModel model = random_model(1, 255);
  EXPECT_THROW(MaskNetwork(model, 63), Error);
  EXPECT_THROW(MaskNetwork(model, 4097), Error);
  MaskNetwork network(model, 64);
  EXPECT_THROW(network.predict(noise(64, 1), noise(65, 1)), Error);
}

TEST(MaskNetwork, RefusesIntegersInDifferentUnits) {
  MaskModel model = testing::quantized(random_model(1, 64));
  model.layers[2].quantized->input_scale *= 2;  // h2.conv1 and h11.conv1 have an input in common
  try {
    MaskNetwork network(model, 64);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("h2.conv1"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("h11.conv1"), std::string::npos) << error.what();
  }
  model.layers[2].quantized.reset();
  EXPECT_THROW(MaskNetwork(model, 64), Error);
  model = testing::quantized(random_model(1, 64));
  model.layers[0].quantized =
      QuantizedWeights{std::vector<std::int8_t>(2 * 8 * 9), std::vector<float>(8, 1), 1};
  EXPECT_THROW(MaskNetwork(model, 64), Error);
}

TEST(MaskNetwork, IsSureHoweverFarItsLastLayerGoes) {
  for (const float logit : {30.f, 87.f, 90.f, 103.f, 105.f, 200.f, 1e6f, 1e30f}) {
    const MaskModel model = testing::constant_masks(64, -logit, logit);
    MaskNetwork network(model, 64);
    const Masks masks = network.predict(noise(64, 1), noise(64, 2));
    for (const float value : masks.current.pixels()) ASSERT_NEAR(value, 0, 1e-12) << logit;
    for (const float value : masks.reference.pixels()) ASSERT_EQ(value, 1) << logit;
  }
}

TEST(MaskNetwork, HidesAndKeeps) {
  Image image = noise(64, 1);
  const Image before = image;
  Image mask(64, image.metres_per_pixel());
  mask.at(3, 5) = 0.5f;
  apply_mask(mask, image);
  EXPECT_EQ(image.at(3, 5), 0.5f * before.at(3, 5));
  EXPECT_EQ(image.at(5, 3), 0);
}

TEST(Quantizer, WantsFloatingPointAndScans) {
  const MaskModel model = random_model(1, 64);
  Quantizer quantizer(model, 64);
  EXPECT_THROW(quantizer.quantized(), Error);
  quantizer.observe(noise(64, 1), noise(64, 2));
  EXPECT_EQ(quantizer.observed(), 1);
  EXPECT_THROW(Quantizer(quantizer.quantized(), 64), Error);
}

TEST(Quantizer, KeepsTheFirstAndTheLastLayer) {
  const MaskModel model = random_model(1, 64), integers = quantized_on_noise(model, 64);
  EXPECT_EQ(integers.precision, Precision::int8);
  EXPECT_EQ(integers.layers.front(), model.layers.front());
  EXPECT_EQ(integers.layers.back(), model.layers.back());
  for (std::size_t i = 1; i + 1 < integers.layers.size(); ++i) {
    ASSERT_TRUE(integers.layers[i].quantized) << convolutions()[i].name;
    const auto largest = [](const auto& weights) { return std::ranges::max(weights); };
    EXPECT_LE(largest(integers.layers[i].quantized->weight), 127);
  }
  EXPECT_EQ(parse_model(to_tensor_file(integers), "again"), integers);
}

}  // namespace
}  // namespace fmbym
