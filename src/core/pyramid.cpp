#include "fmbym/core/pyramid.hpp"

#include <fmt/format.h>

#include "fmbym/core/error.hpp"

namespace fmbym {
namespace {

constexpr double kRounding = 1e-9;
constexpr int kSmallest = 15;  // pixels a side

// Odd, so that the sensor stays in the middle of a pixel.
int half_size(int size) {
  const int half = (size - 1) / 2;
  return half % 2 == 1 ? half : half - 1;
}

void halve(const Image& fine, Image& coarse) {
  const int n = coarse.size(), offset = fine.size() / 2 - 2 * (n / 2);
  for (int r = 0; r < n; ++r) {
    const int row = 2 * r + offset;
    const float *above = fine.row(row - 1), *here = fine.row(row), *below = fine.row(row + 1);
    float* out = coarse.row(r);
    const auto column = [&](int c) { return above[c] + 2 * here[c] + below[c]; };
    for (int c = 0; c < n; ++c) {
      const int middle = 2 * c + offset;
      out[c] = (column(middle - 1) + 2 * column(middle) + column(middle + 1)) / 16;
    }
  }
}

}  // namespace

Pyramid::Pyramid(int size, double metres_per_pixel, double largest_pixel)
    : size_(size), metres_per_pixel_(metres_per_pixel) {
  double pixel = 2 * metres_per_pixel;
  for (int half = half_size(size); half >= kSmallest && pixel <= largest_pixel + kRounding;
       half = half_size(half), pixel *= 2)
    levels_.emplace_back(half, pixel);
}

const Image& Pyramid::reduce(const Image& fine) {
  if (fine.size() != size_)
    throw Error(fmt::format("an image of {} pixels was given to a pyramid for {}", fine.size(), size_));
  const Image* image = &fine;
  for (Image& level : levels_) {
    halve(*image, level);
    image = &level;
  }
  return *image;
}

}  // namespace fmbym
