#include "report/scan_overlay.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace fmbym::report {
namespace {

// From power to brightness. Robust: a few strong targets must not leave the rest of a scan in the dark.
class Brightness {
 public:
  explicit Brightness(const Image& image) {
    std::vector<float> returns;
    for (const float power : image.pixels())
      if (power > 0 && std::isfinite(power)) returns.push_back(power);
    if (returns.empty()) return;
    black_ = quantile(returns, 0.5);  // the noise floor: most of a scan is no target
    white_ = quantile(returns, 0.995);
    if (white_ <= black_) black_ = 0;  // all returns are as strong as each other
  }

  double operator()(double power) const {
    return std::pow(std::clamp((power - black_) / (white_ - black_), 0.0, 1.0), kGamma);
  }

 private:
  static constexpr double kGamma = 0.7;

  static double quantile(std::vector<float>& values, double q) {
    const auto nth = values.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), nth, values.end());
    return *nth;
  }

  double black_ = 0, white_ = 1;
};

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
