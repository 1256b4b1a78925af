#include "fmbym/masking/tensor_file.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "fmbym/core/file.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym {
namespace {

using testing::error_of;

TensorFile example() {
  const std::vector<float> halves = {1, -0.5, 65504}, single = {3.25f};
  const std::vector<std::int8_t> integers = {-128, 0, 127, 5, 6, 7};
  return {{{"made by", "hand, \"quoted\"\n"}, {"format", "pt"}},
          {{"a.integers", make_tensor({2, 3}, integers)},
           {"b.halves", make_tensor(TensorType::f16, {3}, halves)},
           {"c.single", make_tensor(TensorType::f32, {}, single)},
           {"d.empty", make_tensor(TensorType::f32, {0, 4}, {})}}};
}

std::string bytes(std::initializer_list<int> values) {
  return {values.begin(), values.end()};
}

// The very bytes that the reference implementation has in its own tests.
TEST(TensorFile, HasTheBytesOfTheReference) {
  const std::vector<float> values = {0, 1, 2, 3, 4, 5};
  const std::string data =
      bytes({0, 0, 0, 0, 0, 0, -128, 63, 0, 0, 0, 64, 0, 0, 64, 64, 0, 0, -128, 64, 0, 0, -96, 64});
  const std::string aligned = bytes({64, 0, 0, 0, 0, 0, 0, 0}) +
                              R"({"attn.0":{"dtype":"F32","shape":[1,2,3],"data_offsets":[0,24]}})" + data;
  EXPECT_EQ(to_bytes({{}, {{"attn.0", make_tensor(TensorType::f32, {1, 2, 3}, values)}}}), aligned);
  const std::string padded = bytes({72, 0, 0, 0, 0, 0, 0, 0}) +
                             R"({"attn0":{"dtype":"F32","shape":[1,1,2,3],"data_offsets":[0,24]}}       )" +
                             data;
  EXPECT_EQ(to_bytes({{}, {{"attn0", make_tensor(TensorType::f32, {1, 1, 2, 3}, values)}}}), padded);
  EXPECT_EQ(to_bytes({}), bytes({8, 0, 0, 0, 0, 0, 0, 0}) + "{}      ");
  EXPECT_EQ(to_bytes({{{"framework", "pt"}}, {}}),
            bytes({40, 0, 0, 0, 0, 0, 0, 0}) + R"({"__metadata__":{"framework":"pt"}}     )");
}

// Members in any order, more of them than needed, tensors in any order, blanks anywhere.
TEST(TensorFile, ReadsWhatOthersWrite) {
  const std::string header =
      "{ \"second\": {\"data_offsets\": [4, 6], \"note\": 1, \"shape\": [2], \"dtype\": \"I8\"},\n"
      " \"first\": {\"dtype\":\"F16\",\"shape\":[2,1],\"data_offsets\":[0,4]},"
      " \"none\": {\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[4,4]} }  ";
  const std::string contents = bytes({static_cast<int>(header.size() % 256),
                                      static_cast<int>(header.size() / 256), 0, 0, 0, 0, 0, 0}) +
                               header + bytes({0, 0x3c, 0, -64, 1, -1});
  const TensorFile file = parse_tensor_file(contents, "file");
  EXPECT_EQ(file.metadata.size(), 0u);
  EXPECT_EQ(floats_of(file.tensors.at("first")), (std::vector<float>{1, -2}));
  EXPECT_EQ(file.tensors.at("first").shape, (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(int8s_of(file.tensors.at("second")), (std::vector<std::int8_t>{1, -1}));
  EXPECT_EQ(floats_of(file.tensors.at("none")).size(), 0u);
}

TEST(TensorFile, ReadsBackWhatWasWritten) {
  const testing::TemporaryFolder folder;
  write_tensor_file(folder / "file", example());
  EXPECT_EQ(read_tensor_file(folder / "file"), example());
  EXPECT_EQ(read_file(folder / "file"), to_bytes(example()));
  EXPECT_EQ(parse_tensor_file(to_bytes({}), "empty"), TensorFile{});
}

TEST(TensorFile, TensorsLieAtMultiplesOfTheirNumbersSize) {
  const std::string contents = to_bytes(example());
  for (const auto& [name, tensor] : example().tensors) {
    const std::size_t size = tensor.type == TensorType::f32 ? 4 : tensor.type == TensorType::f16 ? 2 : 1;
    EXPECT_EQ(contents.rfind(tensor.bytes) % size, 0u) << name;
  }
}

TEST(TensorFile, GivesBackTheNumbers) {
  const std::vector<float> values = {0,
                                     -0.0f,
                                     1.5f,
                                     std::numeric_limits<float>::denorm_min(),
                                     -std::numeric_limits<float>::max(),
                                     std::numeric_limits<float>::infinity()};
  EXPECT_EQ(floats_of(make_tensor(TensorType::f32, {2, 3}, values)), values);
  EXPECT_EQ(floats_of(example().tensors.at("b.halves")), (std::vector<float>{1, -0.5, 65504}));
}

TEST(TensorFile, HalvesThatOverflowAreNoticed) {
  const std::vector<float> values = {1, 65520}, infinite = {std::numeric_limits<float>::infinity()};
  EXPECT_EQ(error_of([&] { make_tensor(TensorType::f16, {2}, values); }),
            "F16 tensor: expected values within ±65504, found 65520; store it as F32");
  EXPECT_EQ(floats_of(make_tensor(TensorType::f16, {1}, infinite)), infinite);
}

TEST(TensorFile, NumbersMustFitTheirShapeAndType) {
  const std::vector<float> values = {1, 2};
  EXPECT_EQ(error_of([&] {
              make_tensor(TensorType::f32, {2, 2}, values);
            }),
            "tensor of shape (2, 2): expected 4 values, found 2; correct one of them");
  EXPECT_EQ(error_of([&] { make_tensor(TensorType::i8, {2}, values); }),
            "tensor: expected F32 or F16, found I8; convert it");
  EXPECT_EQ(error_of([&] { floats_of(example().tensors.at("a.integers")); }),
            "tensor: expected F32 or F16, found I8; convert it");
  EXPECT_EQ(error_of([&] { int8s_of(example().tensors.at("b.halves")); }),
            "tensor: expected I8, found F16; convert it");
}

}  // namespace
}  // namespace fmbym
