#include "fmbym/core/se2.hpp"

#include <cmath>
#include <numbers>

namespace fmbym {
namespace {

// Below this angle the series of sin(a)/a and (1-cos(a))/a are exact to double precision.
constexpr double kSmallAngle = 1e-4;

double sin_over(double a) {
  return std::abs(a) < kSmallAngle ? 1 - a * a / 6 : std::sin(a) / a;
}
double one_minus_cos_over(double a) {
  return std::abs(a) < kSmallAngle ? a / 2 - a * a * a / 24 : (1 - std::cos(a)) / a;
}

}  // namespace

double wrap_angle(double angle) {
  const double wrapped = std::remainder(angle, 2 * std::numbers::pi);
  return wrapped <= -std::numbers::pi ? std::numbers::pi : wrapped;
}

Vec2 rotate(double yaw, const Vec2& v) {
  const double c = std::cos(yaw), s = std::sin(yaw);
  return {c * v.x - s * v.y, s * v.x + c * v.y};
}

SE2 operator*(const SE2& a, const SE2& b) {
  const Vec2 t = rotate(a.yaw, {b.x, b.y});
  return {a.x + t.x, a.y + t.y, wrap_angle(a.yaw + b.yaw)};
}

Vec2 operator*(const SE2& T, const Vec2& point) {
  const Vec2 turned = rotate(T.yaw, point);
  return {T.x + turned.x, T.y + turned.y};
}

SE2 SE2::inverse() const {
  const Vec2 t = rotate(-yaw, {-x, -y});
  return {t.x, t.y, wrap_angle(-yaw)};
}

SE2 SE2::exp(const Twist2& twist) {
  const double a = sin_over(twist.yaw), b = one_minus_cos_over(twist.yaw);
  return {a * twist.x - b * twist.y, b * twist.x + a * twist.y, wrap_angle(twist.yaw)};
}

Twist2 SE2::log() const {
  const double a = sin_over(yaw), b = one_minus_cos_over(yaw);
  const double scale = 1 / (a * a + b * b);
  return {scale * (a * x + b * y), scale * (a * y - b * x), yaw};
}

}  // namespace fmbym
