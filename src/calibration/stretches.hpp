// A drive cut into short straight pieces.
#pragma once

#include <cstddef>
#include <vector>

#include "fmbym/calibration/motion_fit.hpp"

namespace fmbym {

struct Stretch {
  Vec2 estimated;         // displacement in the frame half-way through the stretch's turn [m]
  Vec2 truth;             // likewise; as estimated where it is not known
  double turn = 0;        // estimated [rad]
  std::size_t block = 0;  // of about 100 m, see jackknife.hpp
};

struct Stretches {
  std::vector<Stretch> all;
  std::size_t blocks = 0;
  double distance = 0;  // [m]
};

enum class Judge { truth, estimate };  // of how far and how straight a stretch is

// With Judge::truth, paths without it are left out.
Stretches cut_into_stretches(const std::vector<DrivenPath>& paths, const StretchRules& rules, Judge judge);

}  // namespace fmbym
