#include "fmbym/masking/mask_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fmbym/core/file.hpp"
#include "masking/models.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym {
namespace {

using testing::TemporaryFolder;

std::vector<float> floats(const TensorFile& file, const std::string& tensor) {
  return floats_of(file.tensors.at(tensor));
}

TEST(MaskModel, IsTheNetworkOfTheTable) {
  const auto all = convolutions();
  ASSERT_EQ(all.size(), 23u);
  const auto expect = [&](std::size_t i, const char* name, int in, int out) {
    EXPECT_EQ(all[i].name, name);
    EXPECT_EQ(all[i].in, in) << name;
    EXPECT_EQ(all[i].out, out) << name;
    EXPECT_EQ(all[i].normalised, i + 1 < all.size()) << name;
  };
  expect(0, "h1.conv1", 2, 8);
  expect(1, "h1.conv2", 8, 8);
  expect(10, "h6.conv1", 128, 256);
  expect(12, "h7.conv1", 384, 128);
  expect(20, "h11.conv1", 24, 8);
  expect(21, "h11.conv2", 8, 8);
  expect(22, "mask.conv", 8, 2);
  EXPECT_EQ(all[0].norm(), "h1.norm1");
  EXPECT_EQ(all[21].norm(), "h11.norm2");
}

TEST(MaskModel, PrecisionsHaveNames) {
  for (const auto precision : {Precision::fp32, Precision::int8})
    EXPECT_EQ(parse_precision(to_string(precision)), precision);
  EXPECT_EQ(testing::error_of([] { parse_precision("fp16"); }),
            "--precision fp16: no such precision; choose one of fp32, int8");
}

// norm(conv(x)) of a pixel surrounded by zeros, where a convolution is the middle weight alone. By hand for
// gain 3, bias 0.5, mean 0.25, variance 4 - epsilon: (x·w - 0.25) / 2 · 3 + 0.5.
TEST(MaskModel, FoldingIsConvolutionThenNorm) {
  TensorFile file = random_weights(1, 127);
  const auto set = [&](const char* tensor, std::size_t at, float value) {
    auto values = floats(file, tensor);
    values.at(at) = value;
    file.tensors[tensor] = make_tensor(TensorType::f32, file.tensors[tensor].shape, values);
  };
  constexpr std::size_t out = 5, middle = (out * 2 + 1) * 9 + 4;  // of the second input channel
  set("h1.conv1.weight", middle, 0.75f);
  set("h1.norm1.weight", out, 3);
  set("h1.norm1.bias", out, 0.5f);
  set("h1.norm1.running_mean", out, 0.25f);
  set("h1.norm1.running_var", out, static_cast<float>(4 - kNormEpsilon));
  const ConvolutionWeights layer = parse_model(file, "file").layers[0];
  for (const float x : {0.f, 1.f, -2.f})
    EXPECT_NEAR(x * layer.weight[middle] + layer.bias[out], (x * 0.75f - 0.25f) / 2 * 3 + 0.5f, 1e-6);
}

// The law for every channel of every layer: convolution and norm are linear in the convolution's result.
TEST(MaskModel, FoldingHoldsForEveryChannel) {
  const TensorFile file = random_weights(2, 127);
  const MaskModel model = parse_model(file, "file");
  for (std::size_t i = 0; i + 1 < convolutions().size(); ++i) {
    const ConvolutionShape& convolution = convolutions()[i];
    const auto weight = floats(file, convolution.name + ".weight"),
               gain = floats(file, convolution.norm() + ".weight"),
               bias = floats(file, convolution.norm() + ".bias"),
               mean = floats(file, convolution.norm() + ".running_mean"),
               variance = floats(file, convolution.norm() + ".running_var");
    for (std::size_t k = 0; k < weight.size(); k += 7) {
      const std::size_t out = k / (weight.size() / gain.size());
      const double norm_of_weight =
          (weight[k] - mean[out]) / std::sqrt(variance[out] + 1e-5) * gain[out] + bias[out];
      ASSERT_NEAR(model.layers[i].weight[k] + model.layers[i].bias[out], norm_of_weight, 1e-6);
    }
  }
  EXPECT_EQ(model.layers.back().weight, floats(file, "mask.conv.weight"));
  EXPECT_EQ(model.layers.back().bias, floats(file, "mask.conv.bias"));
}

MaskModel with_every_detail() {
  MaskModel model = random_model(3, 255);
  model.info = {.method = "f-mbym",
                .preset = "paper",
                .resolution = 255,
                .metres_per_pixel = 0.4,
                .input_mean = -0.1,
                .input_scale = 1.0 / 3,
                .training_data = "train-a \"and\" train-b, é",
                .epoch = 80,
                .validation_translation_percent = 1.16,
                .validation_rotation_deg_per_km = 0.1 + 0.2,
                .yaw_temperature = 0.7,
                .translation_temperature = 2.5,
                .licence = "CC-BY-NC-SA-4.0"};
  return model;
}

TEST(MaskModel, ReadsBackWhatWasWritten) {
  const TemporaryFolder folder;
  for (const MaskModel& model :
       {random_model(4, 127), with_every_detail(), testing::quantized(with_every_detail())}) {
    write_model(folder / "model", model);
    EXPECT_TRUE(read_model(folder / "model") == model);
    const std::string first = read_file(folder / "model");
    write_model(folder / "model", model);
    EXPECT_TRUE(read_file(folder / "model") == first);
  }
}

TEST(MaskModel, IsInt8IfAnyLayerIs) {
  MaskModel model = testing::quantized(random_model(5, 127));
  EXPECT_EQ(parse_model(to_tensor_file(model), "model").precision, Precision::int8);
  for (std::size_t i = 2; i < model.layers.size(); ++i) model.layers[i].quantized.reset();
  const MaskModel mostly_float = parse_model(to_tensor_file(model), "model");
  EXPECT_EQ(mostly_float.precision, Precision::int8);
  EXPECT_FALSE(mostly_float.layers[0].quantized || mostly_float.layers[2].quantized);
  EXPECT_TRUE(mostly_float.layers[1].quantized);
  EXPECT_EQ(random_model(5, 127).precision, Precision::fp32);
}

TEST(MaskModel, IntegersStandForTheirScaledValues) {
  const MaskModel model = testing::quantized(random_model(6, 127));
  const ConvolutionWeights layer = parse_model(to_tensor_file(model), "model").layers[7];
  const std::size_t inputs = layer.weight.size() / layer.bias.size();
  for (std::size_t k = 0; k < layer.weight.size(); ++k)
    ASSERT_EQ(layer.weight[k],
              static_cast<float>(layer.quantized->weight[k]) * layer.quantized->weight_scale[k / inputs]);
}

// Stored as F16, weights differ by half a unit in the eleventh place.
TEST(MaskModel, WeightsMayBeHalves) {
  TensorFile file = random_weights(7, 127);
  for (auto& [name, tensor] : file.tensors)
    tensor = make_tensor(TensorType::f16, tensor.shape, floats_of(tensor));
  const MaskModel halves = parse_model(file, "halves"), exact = random_model(7, 127);
  EXPECT_EQ(halves.precision, Precision::fp32);
  const auto &found = halves.layers.back().weight, &expected = exact.layers.back().weight;
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_NEAR(found[k], expected[k], std::abs(expected[k]) * 0x1p-11 + 0x1p-25);
}

TEST(MaskModel, WhatCanNotBeReadIsNotWritten) {
  const TemporaryFolder folder;
  const auto expect_not_written = [&](const MaskModel& model, std::string_view part) {
    const std::string message = testing::error_of([&] { write_model(folder / "model", model); });
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_FALSE(std::filesystem::exists(folder / "model"));
  };
  MaskModel model = random_model(8, 127);
  model.layers[3].weight[0] = std::nanf("");
  expect_not_written(model, "h2.conv2.weight: expected finite numbers, found nan at place 0");
  model = random_model(8, 127);
  model.info.input_scale = 0;
  expect_not_written(model, "input_scale");
  model = random_model(8, 127);
  model.layers[3].bias.pop_back();
  expect_not_written(model, "tensor of shape (16): expected 16 values, found 15");
  model.layers.pop_back();
  expect_not_written(model, "model: expected 23 convolutions, found 22");
}

}  // namespace
}  // namespace fmbym
