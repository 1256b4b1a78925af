// Scans of nothing, for what only needs numbers.
#pragma once

#include <random>

#include "fmbym/core/image.hpp"

namespace fmbym::testing {

inline Image noise(int size, unsigned seed) {
  Image image(size, 0.4);
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> power(0, 1);
  for (float& pixel : image.pixels()) pixel = power(random);
  return image;
}

}  // namespace fmbym::testing
