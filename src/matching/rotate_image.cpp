#include "matching/rotate_image.hpp"

#include <algorithm>
#include <cmath>

namespace fmbym {
namespace {

// Narrows the columns [first, last) to those where 0 ≤ start + column·slope ≤ limit, but for rounding.
void clip(double start, double slope, double limit, int& first, int& last) {
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

}  // namespace

void rotate_image(const Image& image, double yaw, float* out, int stride) {
  const int n = image.size();
  const double middle = n / 2, c = std::cos(yaw), s = std::sin(yaw);
  const float* pixels = image.pixels().data();
  for (int r = 0; r < n; ++r, out += stride) {
    // Along a row the source moves by (s, c) in (row, column).
    const double row0 = middle + (r - middle) * c - middle * s;
    const double col0 = middle - (r - middle) * s - middle * c;
    int first = 0, last = n;
    clip(row0, s, n - 1, first, last);
    clip(col0, c, n - 1, first, last);
    std::fill(out, out + first, 0.f);
    std::fill(out + last, out + n, 0.f);
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
      out[col] = upper + v * (lower - upper);
    }
  }
}

}  // namespace fmbym
