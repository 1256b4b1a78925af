// Whether two images agree with the rotation that their spectra suggest. The magnitudes do not know where
// things are: in an open field with one wall, whose streak turns with its bearing, they can be off by
// degrees. The aligned images show that.
#pragma once

#include "fmbym/core/pyramid.hpp"
#include "matching/translation_search.hpp"

namespace fmbym {

// How much the images have in common at a rotation, whatever the shift.
struct Agreement {
  double yaw = 0;  // [rad]
  double correlation = 0;
};

struct SecondLookConfig {
  double step = 0;     // how far to either side [rad]
  double max_yaw = 0;  // no farther than this [rad]
  double max_translation = 0;
  bool remove_mean = false;  // both as in FourierConfig
};

class SecondLook {
 public:
  SecondLook(const SecondLookConfig& config, int size, double metres_per_pixel);

  // Large pixels are kept and must outlive the climb, small ones are put together.
  void set_images(const Image& current, const Image& previous);
  // At `yaw` itself where the images agree less a step to either side. Otherwise at the top: climbed to step
  // by step, and read off a parabola.
  Agreement climb(double yaw);
  // At the highest top of all, read off likewise.
  Agreement search();

 private:
  // A rotation, and the correlations a step before it, there, and a step after.
  struct Top {
    double yaw, before, here, after;
  };
  Top top_above(double yaw);
  Agreement vertex(const Top& top) const;
  double correlation_at(double yaw);

  SecondLookConfig config_;
  Pyramid current_, previous_;
  const Image* reduced_ = nullptr;  // the previous image
  TranslationSearch search_;
};

}  // namespace fmbym
