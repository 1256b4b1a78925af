#include "masking/half.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fmbym {
namespace {

constexpr std::uint32_t kFloatInfinity = 0x7f800000, kHalfInfinity = 0x7c00;
constexpr int kFractionShift = 23 - 10;                          // bits of the fraction that a half has not
constexpr std::uint32_t kExponentShift = (127 - 15) << 10;       // between the biases, in a half's place
constexpr std::uint32_t kSmallestNormalHalf = (127 - 14) << 23;  // 2^-14, as a float's bits
constexpr float kSubnormalStep = 0x1p-24f;

std::uint32_t nan_to_half(std::uint32_t magnitude) {
  const std::uint32_t fraction = (magnitude & 0x7fffff) >> kFractionShift;
  return kHalfInfinity | (fraction != 0 ? fraction : 0x200);
}

std::uint32_t magnitude_to_half(std::uint32_t magnitude) {
  if (magnitude > kFloatInfinity) return nan_to_half(magnitude);
  if (magnitude < kSmallestNormalHalf)
    return static_cast<std::uint32_t>(std::nearbyint(std::bit_cast<float>(magnitude) / kSubnormalStep));
  // Half a unit less one, and one more for odd numbers: what carries over rounds up.
  const std::uint32_t odd = magnitude >> kFractionShift & 1;
  const std::uint32_t rounded = (magnitude + 0xfff + odd) >> kFractionShift;
  return std::min(rounded - kExponentShift, kHalfInfinity);
}

}  // namespace

float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16, magnitude = half & 0x7fffu;
  if (magnitude < 0x400) {  // subnormal or zero
    const float value = static_cast<float>(magnitude) * kSubnormalStep;
    return sign ? -value : value;
  }
  if (magnitude >= kHalfInfinity)
    return std::bit_cast<float>(sign | kFloatInfinity | (magnitude & 0x3ff) << kFractionShift);
  return std::bit_cast<float>(sign | (magnitude + kExponentShift) << kFractionShift);
}

std::uint16_t float_to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits >> 16 & 0x8000u) | magnitude_to_half(bits & 0x7fffffffu));
}

}  // namespace fmbym
