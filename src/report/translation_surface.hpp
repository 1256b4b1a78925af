// The part of a correlation over translations that is worth showing.
#pragma once

#include <vector>

#include "fmbym/matching/matcher.hpp"

namespace fmbym::report {

// Whether there is a surface, and one that tells shifts apart.
bool has_surface(const MatchEvidence& evidence);

// The middle of the correlation surface, with its lowest and highest coefficient.
struct TranslationSurface {
  int reach;                  // cells to either side of no shift
  std::vector<float> scores;  // (row, column), a square
  double low, high;

  int side() const { return 2 * reach + 1; }
};

TranslationSurface middle_of(const MatchEvidence& evidence);

}  // namespace fmbym::report
