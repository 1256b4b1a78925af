#include "matching/peak.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace fmbym {
namespace {

constexpr float kLowest = std::numeric_limits<float>::lowest();

double mean_of(const std::vector<float>& scores) {
  return Eigen::Map<const Eigen::ArrayXf>(scores.data(), std::ssize(scores)).mean();
}

// 1, entirely ambiguous, where there is no peak at all.
double ratio_above(double mean, double first, double second) {
  return first > mean ? std::clamp((second - mean) / (first - mean), 0.0, 1.0) : 1.0;
}

// The highest local maximum farther than `lobe` from the best: a shoulder of the best is no peak of its own.
double curve_ratio(const std::vector<float>& scores, int best, int lobe) {
  const int last = static_cast<int>(scores.size()) - 1;
  const float* s = scores.data();
  float second = kLowest;
  for (int i = 0; i <= last; ++i) {
    if (s[i] <= second || std::abs(i - best) <= lobe) continue;
    if ((i == 0 || s[i - 1] <= s[i]) && (i == last || s[i + 1] <= s[i])) second = s[i];
  }
  return ratio_above(mean_of(scores), s[best], second);
}

// None of the up to eight cells around is higher.
bool is_local_maximum(const Surface& surface, int row, int column) {
  const float score = surface.at(row, column);
  for (int r = std::max(0, row - 1); r <= std::min(surface.side - 1, row + 1); ++r)
    for (int c = std::max(0, column - 1); c <= std::min(surface.side - 1, column + 1); ++c)
      if (surface.at(r, c) > score) return false;
  return true;
}

struct RowMoments {
  double weight = 0, column = 0, column_column = 0;
};

// Eight columns at a time, for the vector units.
RowMoments row_moments(const float* scores, int side, const SoftWeight& weight) {
  using Lanes = Eigen::Array<float, 8, 1>;
  const int middle = side / 2;
  const auto best = static_cast<float>(weight.best()), gain = static_cast<float>(weight.gain());
  Lanes w_sum = Lanes::Zero(), wc_sum = Lanes::Zero(), wcc_sum = Lanes::Zero();
  Lanes column = Lanes::LinSpaced(0, 7) - static_cast<float>(middle);
  int c = 0;
  for (; c + 8 <= side; c += 8, column += 8.f) {
    const Lanes w = ((Lanes::Map(scores + c) - best) * gain).exp();
    w_sum += w;
    wc_sum += w * column;
    wcc_sum += w * column.square();
  }
  RowMoments sums{w_sum.sum(), wc_sum.sum(), wcc_sum.sum()};
  for (; c < side; ++c) {
    const double w = weight(scores[c]), lag = c - middle;
    sums.weight += w;
    sums.column += w * lag;
    sums.column_column += w * lag * lag;
  }
  return sums;
}

}  // namespace

SoftWeight::SoftWeight(double best, double temperature)
    : best_(best), gain_(100 / temperature), negligible_(static_cast<float>(best - 30 / gain_)) {}

double SoftWeight::operator()(double score) const {
  return std::exp(gain_ * (score - best_));
}

double parabola_offset(double before, double middle, double after) {
  const double curvature = before - 2 * middle + after;
  return curvature < 0 ? std::clamp((before - after) / (2 * curvature), -0.5, 0.5) : 0;
}

CurvePeak curve_peak(const std::vector<float>& scores, PeakPolicy policy, double temperature, int lobe) {
  const int middle = static_cast<int>(scores.size()) / 2;
  const auto best = static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
  const SoftWeight weight(scores[best], temperature);
  double sum = 0, first = 0, second = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] < weight.negligible()) continue;
    const double w = weight(scores[i]), lag = static_cast<int>(i) - middle;
    sum += w;
    first += w * lag;
    second += w * lag * lag;
  }
  CurvePeak peak{first / sum, 0, curve_ratio(scores, static_cast<int>(best), lobe)};
  peak.variance = second / sum - peak.position * peak.position + kLagVariance;
  if (policy == PeakPolicy::parabola) {
    peak.position = static_cast<int>(best) - middle;
    if (best > 0 && best + 1 < scores.size())
      peak.position += parabola_offset(scores[best - 1], scores[best], scores[best + 1]);
  }
  return peak;
}

SurfaceMoments surface_moments(const Surface& surface, double temperature) {
  using Row = Eigen::Map<const Eigen::ArrayXf>;
  const int side = surface.side, middle = side / 2;
  const auto& scores = surface.scores;
  SurfaceMoments m;
  m.best = Row(scores.data(), std::ssize(scores)).maxCoeff();
  // Not found if there are NaNs; the middle is as good as any cell then.
  const auto found = std::find(scores.begin(), scores.end(), static_cast<float>(m.best));
  const int best_cell =
      static_cast<int>(found == scores.end() ? std::ssize(scores) / 2 : found - scores.begin());
  m.best_row = best_cell / side;
  m.best_column = best_cell % side;
  const SoftWeight weight(m.best, temperature);
  for (int r = 0; r < side; ++r) {
    const Row score(scores.data() + std::ptrdiff_t(r) * side, side);
    if (score.maxCoeff() < weight.negligible()) continue;
    const RowMoments sums = row_moments(score.data(), side, weight);
    const double row = r - middle;
    m.weight += sums.weight;
    m.row += row * sums.weight;
    m.column += sums.column;
    m.row_row += row * row * sums.weight;
    m.row_column += row * sums.column;
    m.column_column += sums.column_column;
  }
  return m;
}

SurfacePosition parabola_vertex(const Surface& surface, int r, int c) {
  SurfacePosition vertex{double(r - surface.side / 2), double(c - surface.side / 2)};
  const float best = surface.at(r, c);
  if (r > 0 && r + 1 < surface.side)
    vertex.row += parabola_offset(surface.at(r - 1, c), best, surface.at(r + 1, c));
  if (c > 0 && c + 1 < surface.side)
    vertex.column += parabola_offset(surface.at(r, c - 1), best, surface.at(r, c + 1));
  return vertex;
}

double peak_ratio(const Surface& surface, int best_row, int best_column, int lobe) {
  float second = kLowest;
  for (int r = 0; r < surface.side; ++r) {
    const float* row = surface.scores.data() + std::ptrdiff_t(r) * surface.side;
    const bool beside = std::abs(r - best_row) <= lobe;
    for (int c = 0; c < surface.side; ++c) {
      if (row[c] <= second || (beside && std::abs(c - best_column) <= lobe)) continue;
      if (is_local_maximum(surface, r, c)) second = row[c];
    }
  }
  return ratio_above(mean_of(surface.scores), surface.at(best_row, best_column), second);
}

}  // namespace fmbym
