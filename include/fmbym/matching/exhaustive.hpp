// The search of Masking by Moving (raw, mbym): every rotation candidate times all translations.
#pragma once

#include <memory>
#include <numbers>

#include "fmbym/matching/matcher.hpp"

namespace fmbym {

struct ExhaustiveConfig {
  double max_yaw = std::numbers::pi / 12;    // candidates within ± this [rad]
  double yaw_step = std::numbers::pi / 360;  // [rad]
  PeakPolicy yaw_peak = PeakPolicy::soft_argmax;
  PeakPolicy translation_peak = PeakPolicy::soft_argmax;
  double temperature = 1;      // [%] of a perfect correlation, as for the decoupled search
  double max_translation = 0;  // search within ± this along x and y [m]; 0: half the image
  bool remove_mean = false;    // correlate deviations from the images' means

  int yaw_steps() const;  // candidates to either side of no rotation
  void validate() const;  // throws Error
};

// Memory does not grow with the number of candidates, and the result does not depend on the number of
// threads.
std::unique_ptr<Matcher> make_exhaustive_matcher(const ExhaustiveConfig& config, int size,
                                                 double metres_per_pixel, int threads = 1);

}  // namespace fmbym
