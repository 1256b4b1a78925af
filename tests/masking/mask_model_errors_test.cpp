// What a model may not be, and what is said of it.
#include <gtest/gtest.h>

#include <limits>

#include "fmbym/masking/mask_model.hpp"
#include "masking/models.hpp"
#include "support/expect_error.hpp"

namespace fmbym {
namespace {

using testing::error_of;
using testing::expect_message;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

const TensorFile& trained() {
  static const TensorFile file = random_weights(1, 127);
  return file;
}

const TensorFile& folded() {
  static const TensorFile file = to_tensor_file(random_model(1, 127));
  return file;
}

const TensorFile& int8() {
  static const TensorFile file = to_tensor_file(testing::quantized(random_model(1, 127)));
  return file;
}

// Expects the file to be refused once `change` was made to it.
void expect_refused(TensorFile file, const auto& change, std::initializer_list<std::string_view> parts) {
  change(file);
  expect_message(error_of([&] { parse_model(file, "model"); }), "model", parts);
}

auto without(const std::string& tensor) {
  return [tensor](TensorFile& file) { file.tensors.erase(tensor); };
}

auto with(const std::string& tensor) {
  return [tensor](TensorFile& file) {
    file.tensors[tensor] = make_tensor(TensorType::f32, {1}, std::vector<float>{1});
  };
}

auto with_value(const std::string& tensor, std::size_t at, float value) {
  return [=](TensorFile& file) {
    auto values = floats_of(file.tensors.at(tensor));
    values.at(at) = value;
    file.tensors[tensor] = make_tensor(TensorType::f32, file.tensors[tensor].shape, values);
  };
}

auto with_metadata(const std::string& key, const std::string& value) {
  return [=](TensorFile& file) { file.metadata[key] = value; };
}

auto without_metadata(const std::string& key) {
  return [=](TensorFile& file) { file.metadata.erase(key); };
}

TEST(MaskModelErrors, ExamplesAreSound) {
  for (const TensorFile* file : {&trained(), &folded(), &int8()})
    EXPECT_NO_THROW(parse_model(*file, "model"));
}

TEST(MaskModelErrors, MissingTensors) {
  for (const TensorFile* file : {&trained(), &folded(), &int8()})
    for (const auto& [name, tensor] : file->tensors)
      expect_refused(*file, without(name), {name, "expected this tensor of a network", "found none"});
  expect_refused(trained(), without("h3.norm2.running_var"), {"h3.norm2.running_var: ", "with batch norms"});
  expect_refused(int8(), without("h3.conv2.input_scale"), {"h3.conv2.input_scale: ", "norms folded in"});
  expect_refused(folded(), [](TensorFile& file) { file.tensors.clear(); }, {"h1.conv1.weight: "});
}

TEST(MaskModelErrors, UnknownTensors) {
  expect_refused(
      trained(), with("h12.conv1.weight"),
      {"'h12.conv1.weight': expected tensors of a network with batch norms such as h1.conv1.weight, "
       "h1.norm1.weight, h1.norm1.bias, h1.norm1.running_mean, h1.norm1.running_var, found one it "
       "does not have; leave it out or correct its name"});
  expect_refused(folded(), with("extra\n"), {"'extra?'", "such as h1.conv1.weight, h1.conv1.bias, found"});
}

TEST(MaskModelErrors, MixtureOfNormsAndBiases) {
  expect_refused(trained(), with("h1.conv1.bias"), {"'h1.conv1.bias'", "with batch norms", "does not have"});
  expect_refused(folded(), with("h1.norm1.weight"), {"h1.norm1.bias", "with batch norms", "found none"});
  expect_refused(folded(), with("h1.conv1.weight_scale"), {"'h1.conv1.weight_scale'", "does not have"});
}

TEST(MaskModelErrors, Shapes) {
  const auto reshaped = [](const std::string& tensor, std::vector<std::int64_t> shape) {
    return [=](TensorFile& file) { file.tensors.at(tensor).shape = shape; };
  };
  expect_refused(trained(), reshaped("h1.conv1.weight", {2, 8, 3, 3}),
                 {"h1.conv1.weight: expected the shape (8, 2, 3, 3), found (2, 8, 3, 3)"});
  expect_refused(trained(), reshaped("h1.norm1.bias", {8, 1}),
                 {"h1.norm1.bias: expected the shape (8), found (8, 1)"});
  expect_refused(int8(), reshaped("h2.conv1.weight", {16, 72}),
                 {"expected the shape (16, 8, 3, 3), found (16, 72)"});
  expect_refused(int8(), reshaped("h2.conv1.input_scale", {}), {"expected the shape (1), found ()"});
}

TEST(MaskModelErrors, Types) {
  const auto integers = [](const std::string& tensor) {
    return [=](TensorFile& file) {
      Tensor& found = file.tensors.at(tensor);
      found = make_tensor(found.shape, std::vector<std::int8_t>(floats_of(found).size()));
    };
  };
  expect_refused(trained(), integers("h1.conv1.weight"),
                 {"h1.conv1.weight: expected F32 or F16, found I8", "fold the norms in"});
  expect_refused(folded(), integers("h1.conv1.bias"), {"h1.conv1.bias: expected F32 or F16, found I8"});
  expect_refused(folded(), integers("h1.conv1.weight"), {"h1.conv1.weight_scale: ", "found none"});
}

// Found by fuzzing: read past its end.
TEST(MaskModelErrors, TensorsFromMemoryWithTooFewNumbers) {
  for (const char* tensor : {"h2.conv1.weight_scale", "h2.conv1.weight", "h2.conv1.bias", "mask.conv.weight"})
    expect_refused(int8(), [=](TensorFile& file) { file.tensors.at(tensor).bytes.resize(4); },
                   {tensor, "by its shape, found 4", "make_tensor"});
}

TEST(MaskModelErrors, ValuesThatAreNoWeights) {
  expect_refused(trained(), with_value("h4.conv1.weight", 7, std::nanf("")),
                 {"h4.conv1.weight: expected finite numbers, found nan at place 7"});
  expect_refused(folded(), with_value("mask.conv.bias", 1, -kInfinity),
                 {"mask.conv.bias: ", "found -inf at place 1"});
  expect_refused(trained(), with_value("h4.norm1.running_var", 3, -0.5f),
                 {"h4.norm1.running_var: expected variances of at least 0, found -0.5 at place 3"});
  const auto huge_norm = [](TensorFile& file) {
    with_value("h4.norm1.weight", 0, 3e38f)(file);
    with_value("h4.norm1.running_var", 0, 0)(file);
  };
  expect_refused(trained(), huge_norm,
                 {"h4.conv1: expected weights within single precision, found larger ones once scaled"});
  for (const float scale : {0.f, -1.f})
    expect_refused(
        int8(), with_value("h4.conv1.weight_scale", 2, scale),
        {"h4.conv1.weight_scale: expected scales above 0, found", "at place 2", "quantize it again"});
  expect_refused(int8(), with_value("h4.conv1.input_scale", 0, kInfinity),
                 {"expected finite numbers, found inf"});
  expect_refused(int8(), with_value("h4.conv1.weight_scale", 0, 3e38f), {"h4.conv1: ", "once scaled"});
}

TEST(MaskModelErrors, AnotherNetwork) {
  expect_refused(
      trained(), with_metadata("architecture", "resnet"),
      {"metadata architecture: expected 'fast-mbym-unet', found 'resnet'; give weights of this network"});
  expect_refused(trained(), without_metadata("architecture"), {"metadata architecture", "found ''"});
  expect_refused(
      trained(), with_metadata("format_version", "2"),
      {"metadata format_version: expected 1, found 2, which is newer than this program; use a newer"});
  expect_refused(trained(), with_metadata("format_version", "0"), {"expected a number from 1"});
  expect_refused(trained(), without_metadata("format_version"),
                 {"format_version: expected a value, found none"});
}

TEST(MaskModelErrors, Metadata) {
  for (const char* key : {"resolution", "metres_per_pixel"})
    expect_refused(trained(), without_metadata(key), {"metadata", key, "expected a value, found none"});
  for (const char* value : {"", "x", "63", "4096", "-127", "127x", " 127", "nan"})
    expect_refused(trained(), with_metadata("resolution", value),
                   {"metadata resolution: expected a number from 64 to 4095, found", value});
  expect_refused(trained(), with_metadata("resolution", "127.5"), {"expected a whole number, found 127.5"});
  for (const char* value : {"0", "-0.4", "inf", "a\nb"})
    expect_refused(trained(), with_metadata("metres_per_pixel", value),
                   {"metadata metres_per_pixel: expected a number from 0.01 to 10"});
  expect_refused(trained(), with_metadata("input_mean", "inf"),
                 {"input_mean: expected a number that is finite"});
  expect_refused(trained(), with_metadata("input_scale", "0"),
                 {"input_scale: expected a number of at least 1.18e-38"});
  expect_refused(trained(), with_metadata("epoch", "-1"), {"epoch: expected a number from 0 to 1000000000"});
  expect_refused(trained(), with_metadata("validation_translation_percent", "nan"),
                 {"validation_translation_percent: expected a number of at least 0, found 'nan'"});
  expect_refused(trained(), with_metadata("validation_rotation_deg_per_km", "-1"),
                 {"of at least 0, found '-1'"});
  expect_refused(trained(), with_metadata("yaw_temperature_percent", "0"),
                 {"yaw_temperature_percent: expected a number of at least 1.18e-38, found '0'"});
  expect_refused(trained(), with_metadata("method", "raw"), {"method: expected f-mbym or mbym, found 'raw'"});
  expect_refused(trained(), with_metadata("preset", "best"),
                 {"preset: expected paper or default, found 'best'"});
}

// As PyTorch's own functions leave some.
TEST(MaskModelErrors, UnknownMetadataIsFine) {
  TensorFile file = trained();
  file.metadata["format"] = "pt";
  file.metadata.erase("licence");
  file.metadata.erase("epoch");
  EXPECT_TRUE(parse_model(file, "model") == random_model(1, 127));
}

}  // namespace
}  // namespace fmbym
