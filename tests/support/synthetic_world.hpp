// A small world of point and wall reflectors, always the same for the same seed, and what a radar sees of it
// from any pose: as a smooth image whose shifts and rotations are exact at any fraction of a pixel, or as a
// polar scan.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "fmbym/core/image.hpp"
#include "fmbym/core/polar_scan.hpp"
#include "fmbym/core/se2.hpp"

namespace fmbym::testing {

// A Gaussian blob of reflected power.
struct Reflector {
  Vec2 position;        // in the world [m]
  double width = 1;     // standard deviation [m]
  double strength = 1;  // power in the middle, of full scale
};

struct ScanGeometry {
  int azimuths = 400;
  int bins = 432;
  double range_resolution = 0.1728;  // [m]
  double first_azimuth = 0;          // [rad]
  double range_offset = 0;           // [m]
};

class SyntheticWorld {
 public:
  static constexpr double kTurnSeconds = 0.25;

  explicit SyntheticWorld(std::vector<Reflector> reflectors) : reflectors_(std::move(reflectors)) {}

  // 80 points and 6 walls within `radius` of the origin: with 36 m and motions of up to 8 m all of it stays
  // inside the images of 102 m a side, so that two of them show the same things.
  static SyntheticWorld make(double radius = 36, double width = 0.8, unsigned seed = 1) {
    std::mt19937 random(seed);
    const auto uniform = [&](double low, double high) {
      return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
    };
    const auto place = [&](double within) {
      return rotate(uniform(0, 2 * std::numbers::pi), {within * std::sqrt(uniform(0.01, 1)), 0});
    };
    std::vector<Reflector> reflectors;
    for (int i = 0; i < 80; ++i) reflectors.push_back({place(radius), width, uniform(0.2, 0.8)});
    for (int wall = 0; wall < 6; ++wall) {
      const Vec2 middle = place(0.7 * radius);
      const double heading = uniform(0, std::numbers::pi);
      for (double along = -0.25 * radius; along < 0.25 * radius; along += 1.5 * width) {
        const Vec2 step = rotate(heading, {along, 0});
        reflectors.push_back({{middle.x + step.x, middle.y + step.y}, width, 0.3});
      }
    }
    return SyntheticWorld(std::move(reflectors));
  }

  Image image(const SE2& T_world_sensor, int size, double metres_per_pixel) const {
    Image image(size, metres_per_pixel);
    const int middle = size / 2;
    for (const Reflector& seen : seen_from(T_world_sensor)) {
      const double row = middle - seen.position.x / metres_per_pixel;
      const double column = middle + seen.position.y / metres_per_pixel;
      const double reach = kReach * seen.width / metres_per_pixel;
      for (int r = first_within(row - reach); r <= std::min<double>(size - 1, row + reach); ++r)
        for (int c = first_within(column - reach); c <= std::min<double>(size - 1, column + reach); ++c)
          image.at(r, c) +=
              static_cast<float>(blob(seen, std::hypot(r - row, c - column) * metres_per_pixel));
    }
    return image;
  }

  // From a pose in the middle of the turn, the sensor moving with this velocity [m/s, m/s, rad/s].
  PolarScan scan(const SE2& T_world_sensor, const ScanGeometry& geometry = {},
                 const Twist2& velocity = {}) const {
    PolarScan scan = empty_scan(geometry);
    std::vector<double> power(scan.power.size());
    for (int a = 0; a < scan.azimuths(); ++a) {
      const double t = kTurnSeconds * (static_cast<double>(a) / scan.azimuths() - 0.5);
      const SE2 T_middle_sensor = SE2::exp({velocity.x * t, velocity.y * t, velocity.yaw * t});
      for (const Reflector& seen : seen_from(T_world_sensor * T_middle_sensor)) add(seen, scan, a, power);
    }
    std::transform(power.begin(), power.end(), scan.power.begin(),
                   [](double p) { return static_cast<std::uint8_t>(std::lround(255 * std::min(p, 1.0))); });
    return scan;
  }

  // Evenly spaced azimuths, no power anywhere.
  static PolarScan empty_scan(const ScanGeometry& g) {
    PolarScan scan;
    scan.bins = g.bins;
    scan.range_resolution = g.range_resolution;
    scan.range_offset = g.range_offset;
    scan.power.resize(static_cast<std::size_t>(g.azimuths) * static_cast<std::size_t>(g.bins));
    scan.valid.assign(static_cast<std::size_t>(g.azimuths), 1);
    for (int a = 0; a < g.azimuths; ++a) {
      scan.azimuth.push_back(g.first_azimuth + 2 * std::numbers::pi * a / g.azimuths);
      scan.azimuth_time_us.push_back(static_cast<std::int64_t>(1e6 * kTurnSeconds) * a / g.azimuths);
    }
    return scan;
  }

 private:
  static constexpr double kReach = 5;  // in widths; what lies beyond is below 4e-6 of the strength

  static int first_within(double at) { return static_cast<int>(std::ceil(std::max(0.0, at))); }
  static double blob(const Reflector& r, double distance) {
    return r.strength * std::exp(-distance * distance / (2 * r.width * r.width));
  }

  std::vector<Reflector> seen_from(const SE2& T_world_sensor) const {
    const SE2 T_sensor_world = T_world_sensor.inverse();
    std::vector<Reflector> seen = reflectors_;
    for (Reflector& r : seen) r.position = T_sensor_world * r.position;
    return seen;
  }

  static void add(const Reflector& seen, const PolarScan& scan, int a, std::vector<double>& power) {
    const Vec2 ray = rotate(scan.azimuth[static_cast<std::size_t>(a)], {1, 0});
    const double along = ray.x * seen.position.x + ray.y * seen.position.y;
    const double beside = ray.x * seen.position.y - ray.y * seen.position.x;
    const double range = std::hypot(along, beside), reach = kReach * seen.width;
    if (std::abs(beside) > reach || along < -reach) return;
    const int first = first_within((range - reach - scan.range(0)) / scan.range_resolution);
    for (int b = first; b < scan.bins && scan.range(b) <= range + reach; ++b)
      power[static_cast<std::size_t>(a) * static_cast<std::size_t>(scan.bins) +
            static_cast<std::size_t>(b)] += blob(seen, std::hypot(scan.range(b) - along, beside));
  }

  std::vector<Reflector> reflectors_;
};

}  // namespace fmbym::testing
