// An image at a lower resolution: for searches that only have to come near.
#pragma once

#include <vector>

#include "fmbym/core/image.hpp"
#include "fmbym/imaging/cartesian_imager.hpp"

namespace fmbym {

// Halves the resolution, smoothing with the binomial weights 1 2 1, as often as the pixels stay within a
// size.
class Pyramid {
 public:
  Pyramid(const ImagingConfig& fine, double largest_pixel);  // [m]

  ImagingConfig coarse() const { return levels_.empty() ? fine_ : config_of(levels_.back()); }
  // The fine image itself where its pixels are large already. Allocates nothing.
  const Image& reduce(const Image& fine);

 private:
  static ImagingConfig config_of(const Image& image) { return {image.size(), image.metres_per_pixel()}; }

  ImagingConfig fine_;
  std::vector<Image> levels_;  // from fine to coarse
};

}  // namespace fmbym
