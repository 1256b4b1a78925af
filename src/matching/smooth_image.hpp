// A little blur before a search on a grid of shifts.
#pragma once

#include "fmbym/core/image.hpp"

namespace fmbym {

// Weights 1, 2, 1 along both axes, as if the pixels at the edge went on. Detail as fine as a pixel makes
// correlation peaks so sharp that they lock to whole pixels, and makes the bilinear turning of an image a
// blur of its own that favours candidates; after this neither is to be seen. `out` has the size of `image`.
void smooth_image(const Image& image, Image& out);

}  // namespace fmbym
