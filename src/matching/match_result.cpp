#include "matching/match_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fmbym/core/error.hpp"

namespace fmbym {
namespace {

// Spread of the peaks beyond which a motion is not determined. Over 1600 pairs of successive scans it stays
// below 0.6 m with the default settings and 1.3 m with the paper's; over as many pairs of unrelated scans it
// is above 1.0 m and 1.4 m.
constexpr double kWidestShift = 1.2;  // [m]
constexpr double kWidestYaw = 0.1;    // [rad]

// Covariance of the shift in the turned image [lag²] → of (x, y) in the previous frame [m²].
void set_covariance(const LagEstimate& e, double metres_per_lag, Covariance3& covariance) {
  const SurfaceMoments& m = e.spread;
  const double row = m.row / m.weight, column = m.column / m.weight, area = metres_per_lag * metres_per_lag;
  // x points up the rows, y along the columns.
  const double xx = area * (m.row_row / m.weight - row * row + kLagVariance);
  const double yy = area * (m.column_column / m.weight - column * column + kLagVariance);
  const double xy = -area * (m.row_column / m.weight - row * column);
  const double c = std::cos(e.yaw), s = std::sin(e.yaw);
  covariance[0][0] = c * c * xx - 2 * c * s * xy + s * s * yy;
  covariance[1][1] = s * s * xx + 2 * c * s * xy + c * c * yy;
  covariance[0][1] = covariance[1][0] = c * s * (xx - yy) + (c * c - s * s) * xy;
  covariance[2][2] = e.yaw_variance;
}

bool is_finite(const Match& match) {
  const auto finite_row = [](const auto& row) {
    return std::all_of(row.begin(), row.end(), [](double v) { return std::isfinite(v); });
  };
  return std::isfinite(match.T_prev_curr.x) && std::isfinite(match.T_prev_curr.y) &&
         std::isfinite(match.T_prev_curr.yaw) &&
         std::all_of(match.covariance.begin(), match.covariance.end(), finite_row);
}

}  // namespace

void finish_match(const LagEstimate& estimate, const SearchLimits& limits, Match& match) {
  const double scale = limits.metres_per_lag;
  const Vec2 t = rotate(estimate.yaw, {-estimate.shift.row * scale, estimate.shift.column * scale});
  match.T_prev_curr = {t.x, t.y, estimate.yaw};
  set_covariance(estimate, scale, match.covariance);
  const Covariance3& c = match.covariance;
  match.reliable = std::sqrt(std::max(c[0][0], c[1][1])) < kWidestShift && std::sqrt(c[2][2]) < kWidestYaw;
  if (!is_finite(match)) match = undetermined_match(limits);
}

bool is_blank(const Image& image) {
  const auto& pixels = image.pixels();
  return std::all_of(pixels.begin(), pixels.end(), [first = pixels.front()](float v) { return v == first; });
}

Match undetermined_match(const SearchLimits& limits) {
  Match match;
  match.covariance[0][0] = match.covariance[1][1] = limits.translation * limits.translation / 3;
  match.covariance[2][2] = limits.yaw * limits.yaw / 3;
  return match;
}

int translation_lobe(double metres_per_lag) {
  return std::max(1, static_cast<int>(std::lround(3 / metres_per_lag)));
}

int yaw_lobe(double radians_per_lag) {
  return std::max(1, static_cast<int>(std::lround(std::numbers::pi / 60 / radians_per_lag)));
}

void require_geometry(const Image& current, const Image& previous, const Image& expected) {
  for (const Image* image : {&current, &previous})
    if (!image->same_geometry(expected))
      throw Error(fmt::format("an image of {} pixels of {} m was given to a matcher for {} pixels of {} m",
                              image->size(), image->metres_per_pixel(), expected.size(),
                              expected.metres_per_pixel()));
}

}  // namespace fmbym
