// The whole method as a class: scans go in one after the other, the vehicle's motion comes out. No files, no
// threads to mind.
//
//   fmbym::Odometry odometry(fmbym::make_config(fmbym::Method::f_raw, fmbym::Preset::standard, 255));
//   for (const fmbym::PolarScan& scan : scans) {
//     const fmbym::Registration r = odometry.register_scan(scan);
//     use(r.T_world_curr, r.covariance, r.reliable);
//   }
#pragma once

#include <cstdint>
#include <memory>

#include "fmbym/core/polar_scan.hpp"
#include "fmbym/core/se2.hpp"
#include "fmbym/odometry/config.hpp"

namespace fmbym {

struct Registration {
  std::int64_t timestamp_us = 0;
  SE2 T_prev_curr;   // motion since the scan before; none for the first scan
  SE2 T_world_curr;  // pose in the frame of the first scan
  Match match;       // covariance of the motion, how distinct its peaks are, whether it is reliable
  double image_ms = 0;
  double match_ms = 0;
};

class Odometry {
 public:
  explicit Odometry(const OdometryConfig& config);

  Registration register_scan(const PolarScan& scan);

 private:
  CartesianImager imager_;
  std::unique_ptr<Matcher> matcher_;
  Image current_, previous_;
  SE2 T_world_curr_;
};

}  // namespace fmbym
