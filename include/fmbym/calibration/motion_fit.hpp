// What a drive says about the sensor. Estimated displacements are those of the truth shrunk by `scale` and
// turned by minus `azimuth_offset`:
//
//   true displacement = scale · R(azimuth_offset) · estimated displacement
//
// so that the range resolution is to be multiplied by the one, and the azimuth offset increased by the other.
#pragma once

#include <cstddef>
#include <numbers>
#include <optional>
#include <vector>

#include "fmbym/calibration/estimate.hpp"
#include "fmbym/core/se2.hpp"

namespace fmbym {

// Successive scans, all matched reliably.
struct DrivenPath {
  std::vector<SE2> T_world_estimated;  // a scan
  std::vector<SE2> T_world_true;  // of the same scans, in a world of its own; empty where it is not known
};

// Which pieces of a path are used, one after the other without overlap. In turns a lever arm between the
// sensor and the frame of the truth (or the rear axle) changes the direction of travel: only straight ones
// count.
struct StretchRules {
  std::size_t steps = 2;                         // from scan to scan
  double max_turn = 2 * std::numbers::pi / 180;  // [rad]
  double min_distance = 2;                       // [m]
  std::size_t fewest = 8;                        // to say anything at all
};

struct MotionFit {
  std::optional<Estimate> scale;  // absent without truth, and with fewer stretches than the rules ask
  std::optional<Estimate> azimuth_offset;  // to add to the one used [rad]; absent with too few stretches
  std::size_t stretches = 0;               // that obey the rules
  double distance = 0;                     // of these [m]
};

// Against the truth, of the paths that have it.
MotionFit fit_to_truth(const std::vector<DrivenPath>& paths, const StretchRules& rules = {});

// Against the rule that on a straight road a vehicle moves along its own axis: the sensor's zero is turned to
// the direction of travel. Says nothing about the scale.
MotionFit fit_to_straight_driving(const std::vector<DrivenPath>& paths, const StretchRules& rules = {});

}  // namespace fmbym
