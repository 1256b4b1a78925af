// What can be masked without learning: keeps what looks like a solid return, at one strength for all.
#pragma once

#include <vector>

#include "fmbym/imaging/range_profile.hpp"

namespace fmbym {

struct PlainMaskConfig {
  double min_range = 2.5;  // nearer is the vehicle itself and leakage [m]
  // Radars differ in gain: first the scan is made so bright that this share of its cells reaches the
  // threshold. 0: it stays as it is.
  double returns = 0.05;
  double threshold = 0.25;  // of full scale; weaker is noise
  double ceiling = 0.28;    // of full scale; stronger counts no more than this
  int strongest = 4;        // a cell stays while at most this many of its azimuth are stronger; 0: all stay
  // A target shows in its neighbouring azimuths too, as an arc that turns with the line of sight: only cells
  // within `margin` of the strongest within ±`neighbours` azimuths at the same range stay; 0: all stay.
  int neighbours = 3;
  double margin = 0.02;  // of full scale

  void validate() const;  // throws Error
};

class PlainMask {
 public:
  explicit PlainMask(const PlainMaskConfig& config);

  // Sets to 0 what is not kept, and what is not a number; the first azimuth's copies at the end follow it.
  // Neighbours are compared as they were before. Allocates nothing from the second profile of a size on.
  void apply(RangeProfile& profile);

 private:
  void brighten(RangeProfile& profile, int first_cell);
  void keep_local_maxima(float* row, int azimuth, const RangeProfile& profile);
  void keep_strong(float* row, int cells);
  void keep_strongest(float* row, int cells);

  PlainMaskConfig config_;
  std::vector<float> sample_;    // of the cells, to tell how bright they are
  std::vector<float> unmasked_;  // (azimuth, cell)
  std::vector<float> around_;    // at each cell, the strongest of the neighbouring azimuths
  std::vector<float> left_;      // of one azimuth, above the threshold
};

}  // namespace fmbym
