// What CartesianImager approximates with tables: every pixel by itself, in double precision, exactly averaged
// over its extent in range and linear between the two neighbouring azimuths.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "fmbym/core/image.hpp"
#include "fmbym/core/polar_scan.hpp"

namespace fmbym::testing {

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
    const double first = scan_.azimuth.front();
    const double bearing = from(first, std::atan2(column - size_ / 2, size_ / 2 - row));
    int a = scan_.azimuths() - 1;
    while (a > 0 && from(first, azimuth(a)) > bearing) --a;
    const int next = (a + 1) % scan_.azimuths();
    const double begin = from(first, azimuth(a)), end = next == 0 ? kTurn : from(first, azimuth(next));
    const double u = (bearing - begin) / (end - begin);
    return (1 - u) * mean_power(a, range(row, column)) + u * mean_power(next, range(row, column));
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
