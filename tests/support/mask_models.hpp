// Models of the mask network whose masks are known without running it.
#pragma once

#include <algorithm>

#include "fmbym/masking/mask_model.hpp"

namespace fmbym::testing {

// Logits: 20 keeps everything, 0 halves it, -200 hides it, to the last digit.
inline constexpr float kKeep = 20, kHalve = 0, kHide = -200;

// The same everywhere, whatever the scans show.
inline MaskModel constant_masks(int resolution, float current_logit, float reference_logit) {
  MaskModel model = random_model(1, resolution);
  std::ranges::fill(model.layers.back().weight, 0.f);
  model.layers.back().bias = {current_logit, reference_logit};
  return model;
}

}  // namespace fmbym::testing
