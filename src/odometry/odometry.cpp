#include "fmbym/odometry/odometry.hpp"

#include <utility>

#include "fmbym/core/stopwatch.hpp"

namespace fmbym {

Odometry::Odometry(const OdometryConfig& config) : imager_(config.imaging) {
  config.validate();
  matcher_ = make_matcher(config);
}

Registration Odometry::register_scan(const PolarScan& scan) {
  Registration result;
  result.timestamp_us = scan.timestamp_us;
  const bool is_first = current_.size() == 0;

  Stopwatch watch;
  std::swap(current_, previous_);
  current_ = imager_.form(scan, std::move(current_));
  result.image_ms = watch.lap_ms();

  if (is_first) {
    result.match.reliable = true;  // it is where the world begins
  } else {
    result.match = matcher_->match(current_, previous_);
    result.T_prev_curr = result.match.T_prev_curr;
  }
  T_world_curr_ = T_world_curr_ * result.T_prev_curr;
  result.T_world_curr = T_world_curr_;
  result.match_ms = watch.lap_ms();
  return result;
}

}  // namespace fmbym
