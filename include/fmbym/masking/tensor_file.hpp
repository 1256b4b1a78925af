// Named arrays of numbers in a file, in the safetensors format: eight bytes with the length of a header in
// JSON, the header, and the numbers, one tensor after another. Nothing in it is ever executed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fmbym {

enum class TensorType { f32, f16, i8 };

std::string to_string(TensorType type);  // "F32", as the file has it
std::size_t size_of(TensorType type);    // of one number [bytes]

struct Tensor {
  TensorType type = TensorType::f32;
  std::vector<std::int64_t> shape;  // empty: a single number
  std::string bytes;                // little endian, the last index runs fastest

  bool operator==(const Tensor&) const = default;
};

struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::map<std::string, Tensor> tensors;  // by name

  bool operator==(const TensorFile&) const = default;
};

// Throws Error naming the file when it is no safetensors file, damaged, or has a tensor of another type.
TensorFile read_tensor_file(const std::filesystem::path& file);
// The same from memory; `name` stands for the file in messages.
TensorFile parse_tensor_file(std::string_view contents, const std::string& name);

// Whether a file that begins like this is meant to be a safetensors file.
bool looks_like_tensor_file(std::string_view contents);

// The same tensors give the same bytes. Tensors lie at multiples of the size of their numbers.
std::string to_bytes(const TensorFile& file);
void write_tensor_file(const std::filesystem::path& file, const TensorFile& contents);

// The numbers of a tensor; throws Error if it is of another type than asked for.
std::vector<float> floats_of(const Tensor& tensor);       // F32 and F16
std::vector<std::int8_t> int8s_of(const Tensor& tensor);  // I8

// Throws Error when there are more or fewer values than the shape has, or when a finite value becomes
// infinite as F16. F16 rounds to the nearest, ties to even.
Tensor make_tensor(TensorType f32_or_f16, std::vector<std::int64_t> shape, std::span<const float> values);
Tensor make_tensor(std::vector<std::int64_t> shape, std::span<const std::int8_t> values);

}  // namespace fmbym
