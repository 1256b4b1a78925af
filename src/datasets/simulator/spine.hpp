// The middle of the road: the drive as points a metre apart, on at both ends, so that things can be put
// beside it and nothing upon it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "datasets/simulator/route.hpp"
#include "fmbym/core/se2.hpp"

namespace fmbym::simulator {

class Spine {
 public:
  // `beyond` metres straight on before the first pose and after the last.
  Spine(const Drive& drive, double beyond);

  double length() const { return static_cast<double>(poses_.size() - 1); }  // [m]
  SE2 at(double along) const;                                               // [m] from the start
  // `to_the_right` metres beside it (negative: to the left).
  Vec2 beside(double along, double to_the_right) const;
  double clearance(const Vec2& place) const;  // to the nearest point of the road, as far as 20 m
  // Whether the road comes here for the first time.
  bool is_new(double along) const;
  // How far along the drive is at that time.
  double along(double time) const;

 private:
  static std::int64_t key(std::int64_t x, std::int64_t y) { return x * 0x100000000 + y; }
  void index();

  std::vector<SE2> poses_;  // a metre apart
  std::vector<bool> new_;
  std::unordered_map<std::int64_t, std::vector<std::uint32_t>> cells_;
  double time_step_ = 0, first_time_ = 0;
  std::vector<double> along_;  // at times that far apart
};

}  // namespace fmbym::simulator
