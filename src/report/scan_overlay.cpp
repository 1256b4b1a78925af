#include "report/scan_overlay.hpp"

#include <algorithm>
#include <cmath>

#include "report/brightness.hpp"

namespace fmbym::report {
namespace {

// Power at a point of the image's own frame [m], bilinear between the pixels' middles; 0 outside the image.
double power_at(const Image& image, const Vec2& point) {
  const int middle = image.size() / 2;
  const double scale = image.metres_per_pixel();
  const double row = middle - point.x / scale, column = middle + point.y / scale;
  const auto inside = [middle](double place) { return std::abs(place - middle) <= middle + 0.5; };
  if (image.size() < 2 || !inside(row) || !inside(column)) return 0;
  const int last = image.size() - 2;  // that has a neighbour; the outer half of the edge has none
  const int r = std::clamp(static_cast<int>(row), 0, last), c = std::clamp(static_cast<int>(column), 0, last);
  const double down = std::clamp(row - r, 0.0, 1.0), right = std::clamp(column - c, 0.0, 1.0);
  return (1 - down) * ((1 - right) * image.at(r, c) + right * image.at(r, c + 1)) +
         down * ((1 - right) * image.at(r + 1, c) + right * image.at(r + 1, c + 1));
}

Colour mix(double previous, double current) {
  return {previous * kOrange.red + current * kAzure.red, previous * kOrange.green + current * kAzure.green,
          previous * kOrange.blue + current * kAzure.blue};
}

}  // namespace

Raster overlay_scans(const MatchPicture& picture, int side) {
  const Brightness previous(picture.previous), current(picture.current);
  const SE2 T_curr_prev = picture.match.T_prev_curr.inverse();
  const double metres = picture.previous.size() * picture.previous.metres_per_pixel() / side;
  Raster raster{side, side, {}};
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      const Vec2 point{(0.5 * side - row - 0.5) * metres, (column + 0.5 - 0.5 * side) * metres};
      raster.pixels.push_back(mix(previous(power_at(picture.previous, point)),
                                  current(power_at(picture.current, T_curr_prev * point))));
    }
  }
  return raster;
}

}  // namespace fmbym::report
