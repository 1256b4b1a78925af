// Two scans of one place, with known motion between them.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "fmbym/core/image.hpp"
#include "fmbym/core/se2.hpp"

namespace fmbym::testing {

// Round targets, so that the place can be seen from any pose without interpolation.
class Place {
 public:
  Place() {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> metres(-45, 45), power(0.3, 0.9);
    for (int i = 0; i < 120; ++i) targets_.push_back({metres(random), metres(random), power(random)});
  }

  Image seen_from(const SE2& T_place_sensor, int size = 127, double metres_per_pixel = 0.8) const {
    Image image(size, metres_per_pixel);
    for (int r = 0; r < size; ++r)
      for (int c = 0; c < size; ++c) {
        const Vec2 point{(size / 2 - r) * metres_per_pixel, (c - size / 2) * metres_per_pixel};
        image.at(r, c) = static_cast<float>(power_at(T_place_sensor * point));
      }
    return image;
  }

 private:
  struct Target {
    double x, y, power;
  };

  double power_at(const Vec2& p) const {
    double sum = 0;
    for (const Target& t : targets_)
      sum += t.power * std::exp(-(std::pow(p.x - t.x, 2) + std::pow(p.y - t.y, 2)) / 2);
    return sum;
  }

  std::vector<Target> targets_;
};

}  // namespace fmbym::testing
