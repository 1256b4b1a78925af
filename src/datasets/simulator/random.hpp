// Random numbers that are the same everywhere: the standard library's distributions are not.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace fmbym::simulator {

// Mixes all bits: neighbouring inputs give unrelated outputs (the finaliser of SplitMix64).
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}
constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  return mix(mix(a) ^ b);
}
constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return mix(mix(a, b) ^ c);
}
constexpr double to_unit(std::uint64_t bits) {  // in [0, 1)
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(mix(seed)) {}

  std::uint64_t bits() { return mix(state_++); }
  double uniform() { return to_unit(bits()); }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  bool chance(double probability) { return uniform() < probability; }
  double sign() { return chance(0.5) ? 1 : -1; }
  int whole(int low, int high) { return low + static_cast<int>(uniform() * (high - low + 1)); }
  double normal(double mean = 0, double deviation = 1) {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return mean + deviation * radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t state_;
};

}  // namespace fmbym::simulator
