// Whether two images agree with the rotation that their spectra suggest. The magnitudes do not know where
// things are: in an open field with one wall, whose streak turns with its bearing, they can be off by
// degrees. The aligned images show that.
#pragma once

#include "fmbym/core/pyramid.hpp"
#include "fmbym/matching/fourier.hpp"
#include "matching/translation_search.hpp"

namespace fmbym {

// How much the images have in common at a rotation, whatever the shift.
struct Agreement {
  double yaw = 0;  // [rad]
  double correlation = 0;
};

class SecondLook {
 public:
  // Looks config.second_look to either side.
  SecondLook(const FourierConfig& config, int size, double metres_per_pixel);

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

  double step_, max_yaw_;  // [rad]
  Pyramid current_, previous_;
  const Image* reduced_ = nullptr;  // the previous image
  TranslationSearch search_;
};

}  // namespace fmbym
