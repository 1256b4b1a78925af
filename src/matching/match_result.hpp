// What both matchers do with what they found: from lags to metres, and whether to believe it.
#pragma once

#include "fmbym/matching/matcher.hpp"
#include "matching/peak.hpp"

namespace fmbym {

// The search in lags: rotation, then shift of the turned image.
struct LagEstimate {
  double yaw = 0;           // [rad]
  double yaw_variance = 0;  // [rad²]
  SurfacePosition shift;    // [lag]
  SurfaceMoments spread;    // of the soft-max weights around the shift
};

struct SearchLimits {
  double metres_per_lag = 0;
  double translation = 0;  // [m]
  double yaw = 0;          // [rad]
};

// Turns the shift back into the previous scan's frame (the last lines of Algorithm 1) and fills in pose and
// covariance. The match is reliable when that covariance is small enough to tell a motion.
void finish_match(const LagEstimate& estimate, const SearchLimits& limits, Match& match);

// Every pixel the same: nothing to match.
bool is_blank(const Image& image);

// No motion, with the variance of a uniform distribution over all that was searched.
Match undetermined_match(const SearchLimits& limits);

// Lags around a peak that belong to it, whatever the resolution: 3 m and 3°.
int translation_lobe(double metres_per_lag);
int yaw_lobe(double radians_per_lag);

// Throws Error unless both images have the geometry the matcher was built for.
void require_geometry(const Image& current, const Image& previous, const Image& expected);

}  // namespace fmbym
