#include "matching/smooth_image.hpp"

#include <algorithm>

namespace fmbym {

void smooth_image(const Image& image, Image& out) {
  const int n = image.size();
  for (int r = 0; r < n; ++r) {
    const float* above = image.row(std::max(r - 1, 0));
    const float* here = image.row(r);
    const float* below = image.row(std::min(r + 1, n - 1));
    const auto column = [&](int c) { return 0.25f * (above[c] + below[c]) + 0.5f * here[c]; };
    float* smooth = out.row(r);
    for (int c = 1; c + 1 < n; ++c) smooth[c] = 0.25f * (column(c - 1) + column(c + 1)) + 0.5f * column(c);
    smooth[0] = 0.75f * column(0) + 0.25f * column(1);
    smooth[n - 1] = 0.75f * column(n - 1) + 0.25f * column(n - 2);
  }
}

}  // namespace fmbym
