// Numbers in and out of tensors.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "fmbym/core/error.hpp"
#include "fmbym/masking/tensor_file.hpp"
#include "masking/half.hpp"

namespace fmbym {
namespace {

template <typename Bits>
void append_little_endian(std::string& bytes, Bits bits) {
  for (std::size_t i = 0; i < sizeof bits; ++i) bytes += static_cast<char>(bits >> (8 * i) & 0xff);
}

template <typename Bits>
Bits little_endian(const char* bytes) {
  Bits bits = 0;
  for (std::size_t i = 0; i < sizeof bits; ++i)
    bits = static_cast<Bits>(bits | Bits{static_cast<std::uint8_t>(bytes[i])} << (8 * i));
  return bits;
}

std::uint16_t checked_half(float value) {
  const std::uint16_t half = float_to_half(value);
  if (std::isfinite(value) && !std::isfinite(half_to_float(half)))
    throw Error(fmt::format("F16 tensor: expected values within ±65504, found {}; store it as F32", value));
  return half;
}

void require_as_many(const std::vector<std::int64_t>& shape, std::size_t values) {
  std::int64_t expected = 1;
  for (const std::int64_t length : shape) expected *= length;
  if (expected != static_cast<std::int64_t>(values))
    throw Error(fmt::format("tensor of shape ({}): expected {} values, found {}; correct one of them",
                            fmt::join(shape, ", "), expected, values));
}

[[noreturn]] void fail_type(const char* expected, TensorType found) {
  throw Error(fmt::format("tensor: expected {}, found {}; convert it", expected, to_string(found)));
}

}  // namespace

std::string to_string(TensorType type) {
  switch (type) {
    case TensorType::f32:
      return "F32";
    case TensorType::f16:
      return "F16";
    case TensorType::i8:
      return "I8";
  }
  return "?";
}

std::size_t size_of(TensorType type) {
  return type == TensorType::f32 ? 4 : type == TensorType::f16 ? 2 : 1;
}

std::vector<float> floats_of(const Tensor& tensor) {
  if (tensor.type == TensorType::i8) fail_type("F32 or F16", tensor.type);
  const bool half = tensor.type == TensorType::f16;
  const std::size_t size = size_of(tensor.type);
  std::vector<float> values(tensor.bytes.size() / size);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const char* const at = tensor.bytes.data() + i * size;
    values[i] = half ? half_to_float(little_endian<std::uint16_t>(at))
                     : std::bit_cast<float>(little_endian<std::uint32_t>(at));
  }
  return values;
}

std::vector<std::int8_t> int8s_of(const Tensor& tensor) {
  if (tensor.type != TensorType::i8) fail_type("I8", tensor.type);
  return {tensor.bytes.begin(), tensor.bytes.end()};
}

Tensor make_tensor(TensorType f32_or_f16, std::vector<std::int64_t> shape, std::span<const float> values) {
  if (f32_or_f16 == TensorType::i8) fail_type("F32 or F16", f32_or_f16);
  require_as_many(shape, values.size());
  Tensor tensor{f32_or_f16, std::move(shape), {}};
  for (const float value : values) {
    if (f32_or_f16 == TensorType::f16)
      append_little_endian(tensor.bytes, checked_half(value));
    else
      append_little_endian(tensor.bytes, std::bit_cast<std::uint32_t>(value));
  }
  return tensor;
}

Tensor make_tensor(std::vector<std::int64_t> shape, std::span<const std::int8_t> values) {
  require_as_many(shape, values.size());
  return {TensorType::i8, std::move(shape), {values.begin(), values.end()}};
}

}  // namespace fmbym
