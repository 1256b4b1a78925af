// An image at a lower resolution: for searches that only have to come near.
#pragma once

#include <vector>

#include "fmbym/core/image.hpp"

namespace fmbym {

// Halves the resolution, smoothing with the binomial weights 1 2 1, as often as the pixels stay within a
// size.
class Pyramid {
 public:
  // For images of that size and pixels; pixels in metres.
  Pyramid(int size, double metres_per_pixel, double largest_pixel);

  // Of the reduced images.
  int size() const { return levels_.empty() ? size_ : levels_.back().size(); }
  double metres_per_pixel() const {
    return levels_.empty() ? metres_per_pixel_ : levels_.back().metres_per_pixel();
  }
  // The fine image itself where its pixels are large already. Allocates nothing.
  const Image& reduce(const Image& fine);

 private:
  int size_;
  double metres_per_pixel_;
  std::vector<Image> levels_;  // from fine to coarse
};

}  // namespace fmbym
