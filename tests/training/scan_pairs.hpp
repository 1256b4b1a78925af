// Two scans of one place as images, to be matched: of the synthetic world or of the real one.
#pragma once

#include "fmbym/datasets/dataset.hpp"
#include "fmbym/imaging/cartesian_imager.hpp"
#include "fmbym/imaging/plain_mask.hpp"
#include "fmbym/odometry/config.hpp"
#include "support/real_data.hpp"
#include "support/synthetic_world.hpp"

namespace fmbym::testing {

struct ScanPair {
  Image current, previous;
};

inline ScanPair seen_in(const SyntheticWorld& world, const ImagingConfig& imaging, const SE2& T_prev_curr) {
  return {world.image(T_prev_curr, imaging.size, imaging.metres_per_pixel),
          world.image({}, imaging.size, imaging.metres_per_pixel)};
}

inline ScanPair synthetic_pair(const ImagingConfig& imaging, const SE2& T_prev_curr = {2.3, -0.7, 0.04}) {
  return seen_in(SyntheticWorld::make(36, 1.2), imaging, T_prev_curr);
}

// All of it within 31 pixels of 1 m.
inline ScanPair small_pair(const ImagingConfig& imaging, const SE2& T_prev_curr) {
  return seen_in(SyntheticWorld::make(11, 1.3), imaging, T_prev_curr);
}

// By the plain mask where the odometry would mask them so.
inline ScanPair real_pair(const OdometryConfig& config) {
  const auto dataset = open_dataset(real_data("oxford-tiny"));
  CartesianImager imager(config.imaging);
  PlainMask mask(config.plain_mask);
  const auto image = [&](std::size_t index) {
    imager.load(dataset->read(index));
    if (config.preset == Preset::standard && config.mask) mask.apply(imager.profile());
    return imager.form(Twist2{});
  };
  return {image(1), image(0)};
}

}  // namespace fmbym::testing
