// The whole method as a class: scans go in one after the other, the vehicle's motion comes out. No files, no
// threads to mind.
//
//   fmbym::Odometry odometry(fmbym::make_config(fmbym::Method::f_raw, fmbym::Preset::standard, 255));
//   for (const fmbym::PolarScan& scan : scans) {
//     const fmbym::Registration r = odometry.register_scan(scan);
//     use(r.T_world_curr, r.match.covariance, r.match.reliable);
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
  // Covariance of the motion, how distinct its peaks are, whether it is reliable; and the motion as the two
  // images show it, which is that between sightings where they are as measured.
  Match match;
  bool bridged = false;    // no match was believed: the motion is the predicted one
  bool recovered = false;  // matched again, after bridged scans or far from the prediction
  double image_ms = 0;
  double mask_ms = 0;  // of the network; 0 for methods without masks
  double match_ms = 0;
};

// What was compared with what, for pictures.
struct MatchedImages {
  const Image& current;
  const Image& reference;  // the previous scan, or the map seen from where the current scan was expected
  // What was multiplied onto them: none for methods without masks, and for the first scan.
  const Image* current_mask = nullptr;
  const Image* reference_mask = nullptr;
};

class Pipeline;

class Odometry {
 public:
  explicit Odometry(const OdometryConfig& config);
  ~Odometry();
  Odometry(Odometry&&) noexcept;
  Odometry& operator=(Odometry&&) noexcept;

  // Throws Error for a scan that cannot be imaged; the next one goes on from there.
  Registration register_scan(const PolarScan& scan);

  // Of the last scan registered; valid until the next.
  MatchedImages images() const;
  MatchEvidence evidence() const;

 private:
  std::unique_ptr<Pipeline> pipeline_;
  SE2 T_world_curr_;
};

}  // namespace fmbym
