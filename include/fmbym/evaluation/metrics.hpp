// How far an estimate is from the truth: the KITTI odometry metric as radar people use it, and the absolute
// trajectory error after an alignment.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "fmbym/evaluation/trajectory.hpp"

namespace fmbym {

enum class AngleFormula {
  atan2,  // exact at every angle
  acos,   // of the trace, as KITTI's development kit: blind to small angles, and rounding of the poses counts
          // as angle
};

struct KittiOptions {
  int step = 4;  // a segment starts at every step-th frame
  AngleFormula angle = AngleFormula::atan2;
};

struct KittiScore {
  struct Error {
    double translation_percent = 0;
    double rotation_deg_per_km = 0;
    std::size_t segments = 0;
  };
  Error mean;                      // over all segments
  std::map<int, Error> by_length;  // segment length [m] → mean over its segments; only lengths that occur
};

// Poses correspond one to one; throws Error if their numbers differ or the step is below 1. Absent when the
// path is too short for any segment.
std::optional<KittiScore> kitti_score(const Trajectory& truth, const Trajectory& estimate,
                                      const KittiOptions& options = {});

// One segment of that metric.
struct SegmentError {
  std::size_t first = 0;  // the pose at which it starts
  double start_m = 0;     // the way to there along the true path
  int length_m = 0;
  double translation_percent = 0;
  double rotation_deg_per_km = 0;
};

// All segments, in the order of their starts and then of their lengths. Throws as kitti_score does.
std::vector<SegmentError> segment_errors(const Trajectory& truth, const Trajectory& estimate,
                                         const KittiOptions& options = {});

enum class Alignment {
  rigid,  // the rotation and translation that make the error least, but never upside down: a drive with left
          // and right exchanged stays wrong, though turning it over would make it fit
  first_pose,  // the first poses coincide: what CFEAR's result files call ATE
};

// Root mean square of the position error after the alignment [m]. Poses correspond one to one; throws Error
// if their numbers differ or there are none.
double absolute_trajectory_error(const Trajectory& truth, const Trajectory& estimate,
                                 Alignment alignment = Alignment::rigid);

// Length of the path through the positions [m].
double path_length(const Trajectory& trajectory);

struct AssociatedPair {
  Trajectory truth, estimate;
  std::size_t dropped = 0;  // poses of the estimate without a partner
};

// Pairs poses by time where both have times (nearest within the tolerance, each pose in one pair at most), by
// index where one has none and the numbers are equal. Throws Error when that leaves fewer than two pairs.
AssociatedPair associate(const Trajectory& truth, const Trajectory& estimate, double tolerance_s = 0.02);

}  // namespace fmbym
