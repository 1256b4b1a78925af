// Looking at an image from another pose: bilinear samples of a source along the rows of a target.
#pragma once

#include <algorithm>
#include <cmath>

#include "fmbym/core/image.hpp"
#include "fmbym/core/se2.hpp"

namespace fmbym {
namespace detail {

// Narrows the columns [first, last) to those where 0 ≤ start + column·slope ≤ limit, but for rounding.
inline void clip_columns(double start, double slope, double limit, int& first, int& last) {
  constexpr double rounding = 1e-6;
  start += rounding;
  limit += 2 * rounding;
  if (std::abs(slope) < 1e-9) {
    if (start < 0 || start > limit) last = first;
    return;
  }
  const auto [low, high] = std::minmax({-start / slope, (limit - start) / slope});
  first = static_cast<int>(std::clamp<double>(std::ceil(low), first, last));
  last = static_cast<int>(std::clamp<double>(std::floor(high) + 1, first, last));
}

}  // namespace detail

// The target is a square of `size` pixels as large as the source's, its middle at the pose T_source_target.
// For each of its rows calls begin_row(row, first, last): columns [first, last) lie within the source; then
// sample(column, value) for each of them, in order.
template <class BeginRow, class Sample>
void warp_image(const Image& source, const SE2& T_source_target, int size, BeginRow begin_row,
                Sample sample) {
  const int n = source.size();
  const double middle = size / 2, scale = 1 / source.metres_per_pixel();
  const double c = std::cos(T_source_target.yaw), s = std::sin(T_source_target.yaw);
  const double middle_row = n / 2 - T_source_target.x * scale;
  const double middle_column = n / 2 + T_source_target.y * scale;
  const float* pixels = source.pixels().data();
  for (int r = 0; r < size; ++r) {
    // Along a row the source moves by (s, c) in (row, column).
    const double row0 = middle_row + (r - middle) * c - middle * s;
    const double col0 = middle_column - (r - middle) * s - middle * c;
    int first = 0, last = size;
    detail::clip_columns(row0, s, n - 1, first, last);
    detail::clip_columns(col0, c, n - 1, first, last);
    begin_row(r, first, last);
    const float row_start = static_cast<float>(row0), col_start = static_cast<float>(col0);
    const float row_slope = static_cast<float>(s), col_slope = static_cast<float>(c);
    for (int col = first; col < last; ++col) {
      const float y = row_start + static_cast<float>(col) * row_slope;
      const float x = col_start + static_cast<float>(col) * col_slope;
      // At the far edge the upper neighbour has all the weight; rounding may exceed the edges by a hair.
      const int iy = std::min(static_cast<int>(y), n - 2), ix = std::min(static_cast<int>(x), n - 2);
      const float v = y - static_cast<float>(iy), u = x - static_cast<float>(ix);
      const float* p = pixels + iy * n + ix;
      const float upper = p[0] + u * (p[1] - p[0]);
      const float lower = p[n] + u * (p[n + 1] - p[n]);
      sample(col, upper + v * (lower - upper));
    }
  }
}

}  // namespace fmbym
