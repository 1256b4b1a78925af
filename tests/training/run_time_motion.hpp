// The motion that the run time finds between two images: what training is held to.
#pragma once

#include "fmbym/core/pyramid.hpp"
#include "fmbym/matching/refinement.hpp"
#include "fmbym/odometry/config.hpp"
#include "training/scan_pairs.hpp"

namespace fmbym::testing {

inline SE2 run_time_motion(const OdometryConfig& config, const ScanPair& pair) {
  if (config.preset == Preset::paper)
    return make_matcher(config)->match(pair.current, pair.previous).T_prev_curr;
  if (!config.refine) return make_tracking_matcher(config)->match(pair.current, pair.previous).T_prev_curr;
  Pyramid current(config.imaging.size, config.imaging.metres_per_pixel, config.search_pixel);
  Pyramid previous = current;
  OdometryConfig coarse = config;
  coarse.imaging = {current.size(), current.metres_per_pixel()};
  const Match found =
      make_tracking_matcher(coarse)->match(current.reduce(pair.current), previous.reduce(pair.previous));
  Refinement refinement(config.imaging.size, config.imaging.metres_per_pixel);
  refinement.set_previous(pair.previous);
  refinement.set_current(pair.current);
  return refinement.climb(found.T_prev_curr).T_prev_curr;
}

// [m]: the run time's climb is content with a step of 0.002 pixels, the other goes all the way.
inline double tolerance(const OdometryConfig& config) {
  return config.preset == Preset::standard && config.refine ? 5e-3 * config.imaging.metres_per_pixel : 2e-3;
}

}  // namespace fmbym::testing
