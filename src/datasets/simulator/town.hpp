// What stands beside the road: points that reflect, and segments that shadow.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "datasets/simulator/spine.hpp"
#include "fmbym/core/se2.hpp"

namespace fmbym::simulator {

// A reflector is given in counts: the 8-bit value that it alone would have at 10 m, half a decibel each.
struct Scatterer {
  float x = 0, y = 0;  // in the world [m]
  float counts = 0;
  float normal_x = 0, normal_y = 0;  // of the face it belongs to; none: the same from all sides
  float lobe = 0;                    // how much weaker it is seen along the face than from the front [counts]
  float flash = 0;                   // how much stronger from straight ahead [counts]
  float flutter = 0;                 // deviation from scan to scan [counts]
  std::uint32_t id = 0;
  float velocity_x = 0, velocity_y = 0;  // [m/s]
};

struct Shadow {
  Vec2 from, to;     // in the world [m]
  float counts = 0;  // what is lost behind it
};

// All within reach of a place, in the order they were built.
struct Surroundings {
  std::vector<Scatterer> scatterers;
  std::vector<Shadow> shadows;
};

class Town {
 public:
  void add(Scatterer scatterer);
  void add(const Shadow& shadow);
  Surroundings around(const Vec2& place, double reach) const;

 private:
  using Cell = Surroundings;
  static std::int64_t key(double x, double y);

  std::unordered_map<std::int64_t, Cell> cells_;
  std::uint32_t count_ = 0;
};

// The streets that a drive passes through, and a little beyond.
Town build_town(const Spine& spine, const SimulatorConfig& config);

}  // namespace fmbym::simulator
