// A scan averaged along range: power over azimuth and range, in cells half a pixel apart.
#pragma once

#include <cstddef>
#include <vector>

namespace fmbym {

struct RangeProfile {
  int azimuths = 0;
  int cells = 0;  // cell k is centred on the range k · metres_per_cell
  double metres_per_cell = 0;
  // (azimuth, cell), from 0 to 1. The first azimuth follows twice more at the end, which spares the
  // interpolation a test; who changes it changes all three.
  std::vector<float> power;

  float* row(int a) { return power.data() + static_cast<std::ptrdiff_t>(a) * cells; }
  const float* row(int a) const { return power.data() + static_cast<std::ptrdiff_t>(a) * cells; }
};

}  // namespace fmbym
