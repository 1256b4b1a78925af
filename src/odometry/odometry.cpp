#include "fmbym/odometry/odometry.hpp"

#include "odometry/pipeline.hpp"

namespace fmbym {

Odometry::Odometry(const OdometryConfig& config) {
  config.validate();
  pipeline_ = config.preset == Preset::paper ? make_scan_to_scan(config) : make_scan_to_map(config);
}

Odometry::~Odometry() = default;
Odometry::Odometry(Odometry&&) noexcept = default;
Odometry& Odometry::operator=(Odometry&&) noexcept = default;

Registration Odometry::register_scan(const PolarScan& scan) {
  Registration result = pipeline_->register_scan(scan);
  result.timestamp_us = scan.timestamp_us;
  T_world_curr_ = T_world_curr_ * result.T_prev_curr;
  result.T_world_curr = T_world_curr_;
  return result;
}

MatchedImages Odometry::images() const {
  return pipeline_->images();
}

MatchEvidence Odometry::evidence() const {
  return pipeline_->evidence();
}

}  // namespace fmbym
