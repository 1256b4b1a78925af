// Reading a position, its spread and its distinctness off correlation coefficients. Temperatures are in per
// cent of a coefficient of 1; positions are in lags from the middle of the curve or surface.
#pragma once

#include <vector>

#include "fmbym/matching/matcher.hpp"

namespace fmbym {

// Soft-max weight of a candidate relative to the best one.
class SoftWeight {
 public:
  SoftWeight(double best, double temperature);
  double operator()(double score) const;  // exp(gain·(score - best))
  double best() const { return best_; }
  double gain() const { return gain_; }
  // Candidates below this weigh less than e^-30 each: too little to be seen.
  float negligible() const { return negligible_; }

 private:
  double best_, gain_;
  float negligible_;
};

struct CurvePeak {
  double position = 0;
  double variance = 0;
  double ratio = 1;  // second peak over first, above the mean
};
// The second peak is a local maximum farther than `lobe` lags from the first.
CurvePeak curve_peak(const std::vector<float>& scores, PeakPolicy policy, double temperature, int lobe);

// A square of scores (row, column) with an odd side.
struct Surface {
  const std::vector<float>& scores;
  int side;

  float at(int row, int column) const { return scores[std::size_t(row * side + column)]; }
};

// The highest cell, and the soft-max weights around it: their sum, and their sums times the position and its
// products.
struct SurfaceMoments {
  int best_row = 0, best_column = 0;  // counted from the corner
  double best = 0;
  double weight = 0, row = 0, column = 0, row_row = 0, row_column = 0, column_column = 0;
};
SurfaceMoments surface_moments(const Surface& surface, double temperature);

struct SurfacePosition {
  double row = 0, column = 0;
};
SurfacePosition parabola_vertex(const Surface& surface, int best_row, int best_column);

// The highest local maximum farther than `lobe` cells from the best, over the best, both above the mean.
double peak_ratio(const Surface& surface, int best_row, int best_column, int lobe);

// Offset within ±0.5 of the vertex of the parabola through three scores of which the middle is the highest.
double parabola_offset(double before, double middle, double after);

// Variance of a position known to a lag only.
constexpr double kLagVariance = 1.0 / 12;

}  // namespace fmbym
