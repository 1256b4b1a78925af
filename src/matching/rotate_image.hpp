// Turning an image about its middle.
#pragma once

#include "fmbym/core/image.hpp"

namespace fmbym {

// out(p) = image(R(yaw) p), bilinear, 0 where that lies outside. `out` has image.size() rows of `stride`
// values, of which the first image.size() are written.
void rotate_image(const Image& image, double yaw, float* out, int stride);

}  // namespace fmbym
