// One way to register scans, behind Odometry.
#pragma once

#include <memory>

#include "fmbym/odometry/odometry.hpp"

namespace fmbym {

class Pipeline {
 public:
  virtual ~Pipeline() = default;
  // Fills in all but the pose in the world.
  virtual Registration register_scan(const PolarScan& scan) = 0;
  virtual MatchedImages images() const = 0;
  virtual MatchEvidence evidence() const = 0;
};

// Each scan against the one before, as measured: the paper.
std::unique_ptr<Pipeline> make_scan_to_scan(const OdometryConfig& config);
// Each scan, masked and free of its motion, against the local map.
std::unique_ptr<Pipeline> make_scan_to_map(const OdometryConfig& config);

}  // namespace fmbym
