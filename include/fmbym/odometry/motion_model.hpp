// What a vehicle can do between two scans.
#pragma once

#include "fmbym/core/se2.hpp"

namespace fmbym {

struct MotionConfig {
  double max_speed = 60;            // [m/s]
  double max_yaw_rate = 2;          // [rad/s]
  double max_acceleration = 10;     // along and across [m/s²]
  double max_yaw_acceleration = 3;  // [rad/s²]
  double min_correlation = 0.16;    // of a scan with the map; of different places it is up to 0.15
  double still_distance = 0.03;     // less motion than this from scan to scan [m] …
  double still_angle = 0.0015;      // … and than this [rad] is none; twice that once the vehicle stands

  void validate() const;  // throws Error
};

// Constant velocity from the last scan that was matched.
class MotionModel {
 public:
  explicit MotionModel(const MotionConfig& config);

  Twist2 velocity() const { return velocity_; }  // [m/s, m/s, rad/s] in the vehicle's frame
  // Since the last matched scan: how far the vehicle has gone by now, if it went on as it did.
  SE2 predict(double seconds) const;
  // Whether it can have gone this way in that time.
  bool is_possible(const SE2& motion, double seconds) const;
  // Of a normal distribution around the prediction, over its highest value; the limits of acceleration are
  // three standard deviations.
  double likelihood(const SE2& motion, double seconds) const;
  // Of a motion that was predicted and not seen.
  Covariance3 covariance(double seconds) const;
  bool is_still(const SE2& motion) const;
  void observe(const SE2& motion, double seconds);

 private:
  // How far the vehicle can get from the prediction in that time.
  struct Reach {
    double distance, angle;  // [m, rad]
  };
  Reach reach(double seconds) const;
  // The motion's distance from the prediction, of that.
  double effort(const SE2& motion, double seconds) const;

  MotionConfig config_;
  Twist2 velocity_;
  bool known_ = false;  // the velocity: not before the second scan
};

// The constant velocity that makes this motion in that time.
Twist2 mean_velocity(const SE2& motion, double seconds);

}  // namespace fmbym
