// Planar rigid motion. Frames are x forward, y right, yaw clockwise seen from above, so a positive yaw turns
// the x axis towards the y axis. T_a_b is the pose of frame b in frame a, and maps points of b into a.
#pragma once

#include <array>

namespace fmbym {

// The angle in (-π, π].
double wrap_angle(double angle);

struct Vec2 {
  double x = 0;
  double y = 0;
};

// Element of the tangent space: a velocity held for a unit of time, in the moving frame.
struct Twist2 {
  double x = 0;    // [m]
  double y = 0;    // [m]
  double yaw = 0;  // [rad]
};

struct SE2 {
  double x = 0;    // [m]
  double y = 0;    // [m]
  double yaw = 0;  // [rad], in (-π, π]

  SE2 inverse() const;
  Twist2 log() const;
  static SE2 exp(const Twist2& twist);
};

SE2 operator*(const SE2& T_a_b, const SE2& T_b_c);
Vec2 operator*(const SE2& T_a_b, const Vec2& point_b);
Vec2 rotate(double yaw, const Vec2& vector);

// Covariance of (x, y, yaw), in m², m·rad and rad².
using Covariance3 = std::array<std::array<double, 3>, 3>;

}  // namespace fmbym
