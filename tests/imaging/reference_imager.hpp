// What CartesianImager approximates with tables: every pixel by itself, in double precision, exactly averaged
// over its extent in range and linear between the two neighbouring azimuths; with a moving sensor, from where
// it was when it faced the pixel.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "fmbym/core/image.hpp"
#include "fmbym/core/polar_scan.hpp"
#include "fmbym/core/se2.hpp"

namespace fmbym::testing {

// When a radar that turns at an even rate, and moves, faced a point of its frame in the middle of the turn.
struct Facing {
  double turn;   // from the middle; the sensor saw it within ±½
  double range;  // then [m]
};

inline Facing when_faced(const Vec2& point, double first_azimuth, const Twist2& velocity, double turn_time) {
  constexpr double turn = 2 * std::numbers::pi;
  Facing faced{0, 0};
  for (int round = 0; round < 40; ++round) {
    const double t = faced.turn * turn_time;
    const Vec2 seen = SE2::exp({velocity.x * t, velocity.y * t, velocity.yaw * t}).inverse() * point;
    const double looking = first_azimuth + turn * (0.5 + faced.turn);
    const double ahead = wrap_angle(std::atan2(seen.y, seen.x) - looking) / turn;
    // From the middle every point is less than half a turn away; from there on steps are small.
    faced = {faced.turn + ahead, std::hypot(seen.x, seen.y)};
  }
  return faced;
}

class ReferenceImager {
 public:
  ReferenceImager(const PolarScan& scan, int size, double metres_per_pixel)
      : scan_(scan), size_(size), metres_per_pixel_(metres_per_pixel) {}

  Image form() const {
    Image image(size_, metres_per_pixel_);
    for (int r = 0; r < size_; ++r)
      for (int c = 0; c < size_; ++c) image.at(r, c) = static_cast<float>(pixel(r, c));
    return image;
  }

  double pixel(int row, int column, const Twist2& velocity, double turn_time) const {
    const Facing faced = facing(row, column, velocity, turn_time);
    return std::abs(faced.turn) <= 0.5 ? power((faced.turn + 0.5) * kTurn, faced.range) : 0;
  }

  Facing facing(int row, int column, const Twist2& velocity, double turn_time) const {
    const Vec2 point{(size_ / 2 - row) * metres_per_pixel_, (column - size_ / 2) * metres_per_pixel_};
    return when_faced(point, scan_.azimuth.front(), velocity, turn_time);
  }

  double range(int row, int column) const {  // [m]
    return std::hypot(row - size_ / 2, column - size_ / 2) * metres_per_pixel_;
  }

 private:
  static constexpr double kTurn = 2 * std::numbers::pi;

  static double from(double first, double angle) {  // clockwise, in [0, 2π)
    const double turned = std::fmod(angle - first, kTurn);
    return turned < 0 ? turned + kTurn : turned;
  }

  double pixel(int row, int column) const {
    const double bearing = std::atan2(column - size_ / 2, size_ / 2 - row);
    return power(from(scan_.azimuth.front(), bearing), range(row, column));
  }

  double power(double from_first, double range) const {
    const double first = scan_.azimuth.front();
    int a = scan_.azimuths() - 1;
    while (a > 0 && from(first, azimuth(a)) > from_first) --a;
    const int next = (a + 1) % scan_.azimuths();
    const double begin = from(first, azimuth(a)), end = next == 0 ? kTurn : from(first, azimuth(next));
    const double u = (from_first - begin) / (end - begin);
    return (1 - u) * mean_power(a, range) + u * mean_power(next, range);
  }

  double azimuth(int a) const { return scan_.azimuth[static_cast<std::size_t>(a)]; }

  // Over the pixel's length around the range, as far as the sensor saw it.
  double mean_power(int a, double range) const {
    const auto edge = [&](double metres) {
      return std::clamp((metres - scan_.range_offset) / scan_.range_resolution, 0.0, double(scan_.bins));
    };
    const double first = edge(range - metres_per_pixel_ / 2), last = edge(range + metres_per_pixel_ / 2);
    double sum = 0;
    for (int bin = 0; bin < scan_.bins; ++bin)
      sum += scan_.row(a)[bin] * std::max(0.0, std::min(last, bin + 1.0) - std::max(first, double(bin)));
    return last > first ? sum / (last - first) / 255 : 0;
  }

  const PolarScan& scan_;
  int size_;
  double metres_per_pixel_;
};

}  // namespace fmbym::testing
