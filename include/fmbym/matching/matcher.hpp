// Scan matching: from two images the motion between them.
#pragma once

#include <vector>

#include "fmbym/core/image.hpp"
#include "fmbym/core/se2.hpp"

namespace fmbym {

struct MatchTimings {
  double rotation_ms = 0;     // stage 1 of Algorithm 1; 0 for the exhaustive search, which has no such stage
  double translation_ms = 0;  // stage 2, or the whole of the exhaustive search
};

struct Match {
  SE2 T_prev_curr;           // pose of the current scan in the previous scan's frame
  Covariance3 covariance{};  // of (x, y, yaw), from the spread of the correlation peaks
  // Height of the second peak over that of the first, both above the mean score: near 1 is ambiguous.
  double yaw_peak_ratio = 1;
  double translation_peak_ratio = 1;
  double correlation = 0;  // coefficient of the two aligned images, from 0 to 1
  bool reliable = false;   // false: the images do not determine the motion; do not use it
  MatchTimings timings;
};

// Why a match came out as it did: for pictures, not for the hot path.
struct MatchEvidence {
  std::vector<double> yaw;        // candidates [rad], ascending
  std::vector<double> yaw_score;  // correlation coefficient of each
  int side = 0;                   // of the translation surface, odd: no shift is in the middle
  double metres_per_cell = 0;
  std::vector<float>
      translation;  // (shift forward from the most down, shift right from the least up), coefficients
  Vec2 shift;       // where the translation was read off that surface: forward, right [m]
};

class Matcher {
 public:
  virtual ~Matcher() = default;
  // Both images of the geometry the matcher was built for. Allocates nothing.
  virtual Match match(const Image& current, const Image& previous) = 0;
  // Of the last match.
  virtual MatchEvidence evidence() const = 0;
};

// How a position is read off correlation scores.
enum class PeakPolicy {
  soft_argmax,  // mean over all candidates weighted by exp(score / temperature), as in the paper
  parabola,     // vertex of the parabola through the highest score and its neighbours
};

}  // namespace fmbym
