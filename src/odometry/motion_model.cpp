#include "fmbym/odometry/motion_model.hpp"

#include <algorithm>
#include <cmath>

#include "fmbym/core/error.hpp"

namespace fmbym {
namespace {

// A match is only so exact, however short the time [m, rad].
constexpr double kMatchError = 0.3, kMatchYawError = 0.02;

constexpr double kDeviations = 3;  // standard deviations at the limits

}  // namespace

void MotionConfig::validate() const {
  for (const double limit : {max_speed, max_yaw_rate, max_acceleration, max_yaw_acceleration})
    if (!(limit > 0 && std::isfinite(limit))) throw Error("motion: the limits must be above 0");
  if (!(min_correlation >= 0 && min_correlation < 1))
    throw Error("motion: min_correlation must be at least 0 and below 1");
  if (!(still_distance >= 0 && still_angle >= 0))
    throw Error("motion: still_distance and still_angle must be 0 or more");
}

MotionModel::MotionModel(const MotionConfig& config) : config_(config) {
  config.validate();
}

SE2 MotionModel::predict(double seconds) const {
  return SE2::exp({velocity_.x * seconds, velocity_.y * seconds, velocity_.yaw * seconds});
}

bool MotionModel::is_possible(const SE2& motion, double seconds) const {
  const Twist2 v = mean_velocity(motion, seconds);
  const bool within_limits = std::hypot(v.x, v.y) <= config_.max_speed + kMatchError / seconds &&
                             std::abs(v.yaw) <= config_.max_yaw_rate + kMatchYawError / seconds;
  return within_limits && (!known_ || effort(motion, seconds) <= 1);
}

double MotionModel::likelihood(const SE2& motion, double seconds) const {
  if (!known_) return 1;
  const double deviations = kDeviations * effort(motion, seconds);
  return std::exp(-0.5 * deviations * deviations);
}

double MotionModel::effort(const SE2& motion, double seconds) const {
  const SE2 off = predict(seconds).inverse() * motion;
  const Reach limit = reach(seconds);
  return std::max(std::hypot(off.x, off.y) / limit.distance, std::abs(off.yaw) / limit.angle);
}

MotionModel::Reach MotionModel::reach(double seconds) const {
  return {config_.max_acceleration * seconds * seconds + kMatchError,
          config_.max_yaw_acceleration * seconds * seconds + kMatchYawError};
}

Covariance3 MotionModel::covariance(double seconds) const {
  const Reach limit =
      known_ ? reach(seconds) : Reach{config_.max_speed * seconds, config_.max_yaw_rate * seconds};
  Covariance3 covariance{};
  covariance[0][0] = covariance[1][1] = limit.distance * limit.distance / (kDeviations * kDeviations);
  covariance[2][2] = limit.angle * limit.angle / (kDeviations * kDeviations);
  return covariance;
}

bool MotionModel::is_still(const SE2& motion) const {
  const bool stands = known_ && velocity_.x == 0 && velocity_.y == 0 && velocity_.yaw == 0;
  const double inertia = stands ? 2 : 1;
  return std::hypot(motion.x, motion.y) < inertia * config_.still_distance &&
         std::abs(motion.yaw) < inertia * config_.still_angle;
}

void MotionModel::observe(const SE2& motion, double seconds) {
  velocity_ = mean_velocity(motion, seconds);
  known_ = true;
}

Twist2 mean_velocity(const SE2& motion, double seconds) {
  const Twist2 way = motion.log();
  return {way.x / seconds, way.y / seconds, way.yaw / seconds};
}

}  // namespace fmbym
