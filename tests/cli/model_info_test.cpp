// What is this model?
#include <gtest/gtest.h>

#include "cli/info.hpp"
#include "fmbym/core/checksum.hpp"
#include "masking/models.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

class ModelInfoCommand : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "model.safetensors";
};

TEST_F(ModelInfoCommand, OnWeightsAsTrained) {
  write_tensor_file(file_, random_weights(1, 255));
  const Json found = info(file_);
  EXPECT_EQ(found["kind"], "model");
  EXPECT_EQ(found["format"], "safetensors");
  EXPECT_EQ(found["architecture"], "fast-mbym-unet");
  EXPECT_EQ(found["precision"], "fp32");
  EXPECT_EQ(found["resolution"], 255);
  EXPECT_EQ(found["metres_per_pixel"], 0.4);
  EXPECT_EQ(found["training_data"], "none: random weights of seed 1");
  EXPECT_EQ(found["validation_translation_percent"], nullptr);
  EXPECT_EQ(found["norms_folded"], false);
  EXPECT_EQ(found["bytes"], std::filesystem::file_size(file_));
  EXPECT_EQ(found["sha256"], sha256_of_file(file_));
  ASSERT_EQ(found["convolutions"].size(), 23u);
  EXPECT_EQ(found["convolutions"][12],
            Json::parse(R"({"name":"h7.conv1","in":384,"out":128,"dtype":"F32"})"));
  expect_contains(info_text(file_), {"fast-mbym-unet", "method", "unknown", "h7.conv1   384 → 128  F32",
                                     sha256_of_file(file_)});
}

TEST_F(ModelInfoCommand, OnInt8) {
  MaskModel model = quantized(random_model(1, 127));
  model.info.method = "f-mbym";
  model.info.validation_translation_percent = 1.25;
  write_model(file_, model);
  const Json found = info(file_);
  EXPECT_EQ(found["precision"], "int8");
  EXPECT_EQ(found["method"], "f-mbym");
  EXPECT_EQ(found["validation_translation_percent"], 1.25);
  EXPECT_EQ(found["norms_folded"], true);
  const Json first = found["convolutions"][0], second = found["convolutions"][1];
  EXPECT_EQ(first["dtype"], "F32");
  EXPECT_FALSE(first.contains("input_scale"));
  EXPECT_EQ(second["dtype"], "I8");
  EXPECT_FLOAT_EQ(second["input_scale"].get<float>(), 0.01f);
  EXPECT_LT(second["weight_scale"][0], second["weight_scale"][1]);
  expect_contains(info_text(file_), {"int8", "8 →   8  I8  weights ·", "input · 0.01"});
}

TEST_F(ModelInfoCommand, CountsTheWeights) {
  std::size_t weights = 0;
  for (const ConvolutionShape& convolution : convolutions())
    weights += static_cast<std::size_t>(convolution.out * (9 * convolution.in + 1));
  write_model(file_, random_model(1, 127));
  EXPECT_EQ(info(file_)["weights"], weights);
}

TEST_F(ModelInfoCommand, ByItsBytesWhateverItsName) {
  write_tensor_file(folder_ / "weights.bin", random_weights(1, 127));
  EXPECT_EQ(info(folder_ / "weights.bin")["kind"], "model");
}

// Metadata of others is shown as it is, but does not command the terminal, nor pass for ours.
TEST_F(ModelInfoCommand, ForeignMetadata) {
  TensorFile file = random_weights(1, 127);
  file.metadata["format"] = "pt";
  file.metadata["convolutions"] = "many";
  file.metadata["remarks"] = "\x1b[2J\n";
  file.metadata["licence"] = "© me";
  write_tensor_file(file_, file);
  EXPECT_EQ(info(file_)["other_metadata"],
            Json::parse(R"({"convolutions":"many","format":"pt","remarks":"\u001b[2J\n"})"));
  expect_contains(info_text(file_), {"many\n", "?[2J?\n", "© me"});
}

TEST_F(ModelInfoCommand, OnNoModel) {
  write_file(file_, "Sing goddess the anger");
  expect_failure(run({"info", file_}), kFailed, {"model.safetensors", "found something else", "; "});
  TensorFile file = random_weights(1, 127);
  file.tensors.erase("h5.conv2.weight");
  write_tensor_file(file_, file);
  expect_failure(run({"info", file_, "--json"}), kFailed,
                 {"model.safetensors: h5.conv2.weight: ", "found none"});
  const std::string bytes = to_bytes(file);
  write_file(file_, std::string_view(bytes).substr(0, bytes.size() / 2));
  expect_failure(run({"info", file_}), kFailed, {"cut off", "download it again"});
}

}  // namespace
}  // namespace fmbym::testing
