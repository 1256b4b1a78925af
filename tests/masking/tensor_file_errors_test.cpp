// What a weights file may not be, and what is said of it.
#include <gtest/gtest.h>

#include "fmbym/masking/tensor_file.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym {
namespace {

using testing::error_of;
using testing::expect_message;

// A file with this header, its length first, and zeros for data.
std::string with_header(const std::string& header, std::size_t data = 0) {
  std::string length;
  for (int i = 0; i < 8; ++i) length += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return length + header + std::string(data, '\0');
}

void expect_refused(const std::string& contents, std::initializer_list<std::string_view> parts) {
  expect_message(error_of([&] { parse_tensor_file(contents, "model"); }), "model", parts);
}

void expect_header_refused(const std::string& header, std::initializer_list<std::string_view> parts) {
  expect_refused(with_header(header, 8), parts);
}

TEST(TensorFileErrors, NoTensorFile) {
  expect_refused("", {"expected a weights file (safetensors), found only 0 bytes", "download it again"});
  expect_refused("\x89PNG\r\n\x1a\n", {"found only 8 bytes"});
  expect_refused("Sing goddess the anger", {"found something else", "give a .safetensors file"});
  expect_refused(with_header(" {}"), {"found something else"});
  expect_refused(with_header("[]"), {"found something else"});
  expect_refused(std::string(7, '\xff') + std::string("\0{}", 3), {"found something else"});
  expect_refused(std::string("\x01\xe1\xf5\x05\0\0\0\0{}", 10),
                 {"found something else"});  // 100 MB and a byte
}

TEST(TensorFileErrors, MissingFile) {
  const testing::TemporaryFolder folder;
  expect_message(error_of([&] { read_tensor_file(folder / "none"); }), folder / "none", {"check the path"});
}

// Cut anywhere, the file is not taken for whole.
TEST(TensorFileErrors, EveryTruncationIsNoticed) {
  const std::vector<float> values = {1, 2, 3};
  const std::string whole =
      to_bytes({{{"key", "value"}}, {{"t", make_tensor(TensorType::f32, {3}, values)}}});
  for (std::size_t size = 0; size < whole.size(); ++size) expect_refused(whole.substr(0, size), {});
  expect_refused(whole.substr(0, 20), {"expected a header of ", "cut off after 20 bytes"});
  expect_refused(whole.substr(0, whole.size() - 1), {"tensor 't'", "cut off after 11", "download it again"});
  expect_refused(whole + "x", {"expected 12 bytes of tensors, found 1 more"});
}

TEST(TensorFileErrors, HeaderThatIsNoJson) {
  for (const std::string header :
       {"{", "{}}", "{\"a\":}", "{'a':1}", "{\"\xff\":1}", "{} x", "{\"a\":1e999}"})
    expect_header_refused(header, {"expected a header in JSON, found it damaged", "download it again"});
  expect_header_refused(std::string("{}\0", 3), {"expected a header in JSON"});
  expect_header_refused(std::string("{}\0}}}", 6), {"expected a header in JSON"});
}

TEST(TensorFileErrors, RepeatedNames) {
  const std::string tensor = R"({"dtype":"I8","shape":[4],"data_offsets":[0,4]})";
  expect_header_refused(R"({"a":)" + tensor + R"(,"a":)" + tensor + "}", {"found 'a' twice in the header"});
  expect_header_refused(R"({"a":{"dtype":"I8","dtype":"F32","shape":[],"data_offsets":[0,1]}})",
                        {"found 'dtype' twice"});
  expect_header_refused(R"({"__metadata__":{"k":"1","k":"2"}})", {"found 'k' twice"});
}

TEST(TensorFileErrors, Metadata) {
  expect_header_refused(R"({"__metadata__":1})", {"__metadata__: expected an object of strings, found 1"});
  expect_header_refused(R"({"__metadata__":{"key":[]}})",
                        {"__metadata__: 'key': expected a string, found an array"});
}

// Nothing of the size of the file may be taken for such a header, nor the stack run out.
TEST(TensorFileErrors, ListsWithinLists) {
  const std::string deep(1'000'000, '[');
  expect_header_refused(R"({"a":)" + deep, {"found lists within lists"});
  expect_header_refused(R"({"a":{"shape":[[1]]}})", {"found lists within lists"});
}

// Tensor "t" with these members.
std::string tensor(const std::string& members) {
  return R"({"t":{)" + members + "}}";
}

TEST(TensorFileErrors, Members) {
  expect_header_refused(R"({"t":3})", {"tensor 't': expected dtype, shape and data_offsets, found 3"});
  expect_header_refused(R"({"t":null})", {"found null"});
  expect_header_refused(tensor(R"("shape":[1],"data_offsets":[0,4])"), {"expected a dtype, found none"});
  expect_header_refused(tensor(R"("dtype":"F32","data_offsets":[0,4])"), {"expected a shape, found none"});
  expect_header_refused(tensor(R"("dtype":"F32","shape":[1])"), {"expected a data_offsets, found none"});
  expect_header_refused(tensor(R"("dtype":"I64","shape":[1],"data_offsets":[0,8])"),
                        {"dtype: expected F32, F16 or I8, found 'I64'", "leave it out"});
  expect_header_refused(tensor(R"("dtype":32,"shape":[1],"data_offsets":[0,8])"), {"found 32"});
}

TEST(TensorFileErrors, Shapes) {
  const auto expect_shape_refused = [](const std::string& shape, std::string_view part) {
    expect_header_refused(tensor(R"("dtype":"I8","data_offsets":[0,8],"shape":)" + shape),
                          {"tensor 't': shape", part});
  };
  expect_shape_refused("8", "expected a list of numbers, found 8");
  expect_shape_refused("{}", "expected a list of numbers, found an object");
  expect_shape_refused("[-8]", "expected whole numbers from 0, found -8");
  expect_shape_refused("[8.0]", "found 8.0");
  expect_shape_refused("[\"8\"]", "found '8'");
  expect_shape_refused("[18446744073709551616]", "found 1.8446744073709552e+19");
  expect_shape_refused("[18446744073709551615]", "too large for any");
  expect_shape_refused("[4294967296,4294967296]", "too large for any");
  expect_shape_refused("[4294967296,4294967296,0]", "too large for any");
}

TEST(TensorFileErrors, Offsets) {
  const auto expect_offsets_refused = [](const std::string& offsets,
                                         std::initializer_list<std::string_view> parts) {
    expect_header_refused(tensor(R"("dtype":"F32","shape":[2],"data_offsets":)" + offsets), parts);
  };
  expect_offsets_refused("[0]", {"data_offsets: expected begin and end, found 1 numbers"});
  expect_offsets_refused("[0,4,8]", {"found 3 numbers"});
  expect_offsets_refused("[-1,7]", {"expected whole numbers from 0, found -1"});
  expect_offsets_refused("[0,4]", {"expected 8 bytes by its shape and dtype, found 0 to 4"});
  expect_offsets_refused("[8,0]", {"expected 8 bytes", "found 8 to 0"});
  expect_offsets_refused("[18446744073709551612,4]", {"expected 8 bytes"});
  expect_offsets_refused("[8,16]", {"expected it at bytes 8 to 16 after the header", "cut off after 8"});
  expect_offsets_refused("[18446744073709551607,18446744073709551615]", {"cut off after 8"});
}

TEST(TensorFileErrors, OverlapsAndHoles) {
  const auto pair = [](const std::string& first, const std::string& second) {
    return R"({"a":{"dtype":"I8","shape":[4],"data_offsets":)" + first +
           R"(},"b":{"dtype":"I8","shape":[4],"data_offsets":)" + second + "}}";
  };
  EXPECT_EQ(parse_tensor_file(with_header(pair("[4,8]", "[0,4]"), 8), "model").tensors.size(), 2u);
  expect_refused(with_header(pair("[0,4]", "[3,7]"), 7),
                 {"tensor 'b'", "at byte 4 after the header, found an overlap at 3"});
  expect_refused(with_header(pair("[0,4]", "[0,4]"), 4), {"found an overlap at 0"});
  expect_refused(with_header(pair("[0,4]", "[6,10]"), 10), {"tensor 'b'", "found a hole at 6"});
  expect_refused(with_header(pair("[2,6]", "[6,10]"), 10), {"tensor 'a'", "found a hole at 2"});
}

// Whatever a file calls its tensors, the message stays one line.
TEST(TensorFileErrors, OddNames) {
  expect_header_refused(R"({"a\nb\u0000é":3})", {"tensor 'a?b?"});
  expect_header_refused("{\"" + std::string(10'000, 'n') + "\":3}", {"nnn...'"});
}

}  // namespace
}  // namespace fmbym
