#include "matching/rotate_image.hpp"

#include <algorithm>

#include "fmbym/core/warp.hpp"

namespace fmbym {

void rotate_image(const Image& image, double yaw, float* out, int stride) {
  const int n = image.size();
  float* row = out;
  warp_image(
      image, {0, 0, yaw}, n,
      [&](int r, int first, int last) {
        row = out + std::ptrdiff_t(r) * stride;
        std::fill(row, row + first, 0.f);
        std::fill(row + last, row + n, 0.f);
      },
      [&](int column, float value) { row[column] = value; });
}

}  // namespace fmbym
