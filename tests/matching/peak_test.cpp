#include "matching/peak.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace fmbym {
namespace {

constexpr int kLobe = 20;  // lags around the bumps below that belong to them

std::vector<float> noise(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(0.2f, 0.25f);
  std::vector<float> scores(static_cast<std::size_t>(count));
  for (float& s : scores) s = uniform(random);
  return scores;
}

std::vector<float> bump(int count, double at, double width) {
  std::vector<float> scores;
  for (int i = 0; i < count; ++i) {
    const double lag = i - count / 2 - at;
    scores.push_back(static_cast<float>(std::exp(-lag * lag / (2 * width * width))));
  }
  return scores;
}

TEST(ParabolaOffset, FindsTheVertexOfAParabola) {
  for (const double vertex : {-0.5, -0.3, 0.0, 0.1, 0.5}) {
    const auto parabola = [&](double x) { return 3 - 0.7 * (x - vertex) * (x - vertex); };
    EXPECT_NEAR(parabola_offset(parabola(-1), parabola(0), parabola(1)), vertex, 1e-12);
  }
}

TEST(ParabolaOffset, StaysWithinHalfALag) {
  EXPECT_EQ(parabola_offset(1, 1, 1), 0);       // flat
  EXPECT_EQ(parabola_offset(1, 1, 0.5), -0.5);  // plateau to the left
  EXPECT_EQ(parabola_offset(2, 1, -4), -0.5);   // the middle is not the highest
  EXPECT_EQ(parabola_offset(2, 1, 2), 0);       // a valley
}

TEST(SoftWeight, FallsToOneOverEInTheTemperature) {
  const SoftWeight weight(0.9, 2);  // [%]
  EXPECT_DOUBLE_EQ(weight(0.9), 1);
  EXPECT_NEAR(weight(0.88), std::exp(-1.0), 1e-12);
  EXPECT_NEAR(weight(0.86), std::exp(-2.0), 1e-12);
}

TEST(SoftWeight, NegligibleIsWhatWeighsLessThanEToTheMinus30) {
  for (const double temperature : {0.1, 1.0, 5.0}) {
    const SoftWeight weight(0.7, temperature);
    // A float near 0.7 is good to 3e-8, which at gain 100/T is a factor of up to e^(3e-5).
    EXPECT_NEAR(std::log(weight(weight.negligible())), -30, 1e-4 / temperature);
  }
}

TEST(CurvePeak, OfASymmetricPeakIsInItsMiddle) {
  for (const double at : {-20.0, 0.0, 3.0, 7.5}) {
    const auto scores = bump(101, at, 6);
    for (const double temperature : {0.5, 1.0, 3.0}) {
      // Cut off 30 lags away or more, where weights are below e^-30: only float scores (6e-8 of gain ≤ 200)
      // matter.
      EXPECT_NEAR(curve_peak(scores, PeakPolicy::soft_argmax, temperature, kLobe).position, at, 1e-4);
    }
    EXPECT_NEAR(curve_peak(scores, PeakPolicy::parabola, 1, kLobe).position, at, 1e-4);
  }
}

TEST(CurvePeak, ParabolaFindsFractionsOfALag) {
  // The third derivative of a Gaussian of 6 lags leaves at most 0.4/36·0.25 of a lag.
  for (const double at : {-0.4, 0.2, 3.3})
    EXPECT_NEAR(curve_peak(bump(101, at, 6), PeakPolicy::parabola, 1, kLobe).position, at, 3e-3);
}

TEST(CurvePeak, SoftArgMaxTendsToTheArgMaxAsItCools) {
  auto scores = bump(101, 12, 3);
  for (int i = 0; i < 40; ++i)
    scores[std::size_t(i)] = 0.9f;  // a broad shelf that pulls the mean to the left
  const double hot = curve_peak(scores, PeakPolicy::soft_argmax, 20, kLobe).position;
  const double warm = curve_peak(scores, PeakPolicy::soft_argmax, 5, kLobe).position;
  const double cold = curve_peak(scores, PeakPolicy::soft_argmax, 0.01, kLobe).position;
  EXPECT_LT(hot, warm);
  EXPECT_LT(warm, 12 - 0.1);
  EXPECT_NEAR(cold, 12, 1e-9);
}

TEST(CurvePeak, EqualsTheNaiveSoftArgMax) {
  const auto scores = noise(75, 1);
  const double best = *std::max_element(scores.begin(), scores.end());
  double sum = 0, first = 0, second = 0;
  for (int i = 0; i < 75; ++i) {
    const double w = std::exp((scores[std::size_t(i)] - best) * 100 / 2), lag = i - 37;
    sum += w;
    first += w * lag;
    second += w * lag * lag;
  }
  const CurvePeak peak = curve_peak(scores, PeakPolicy::soft_argmax, 2, kLobe);
  EXPECT_NEAR(peak.position, first / sum, 1e-9);
  EXPECT_NEAR(peak.variance, second / sum - std::pow(first / sum, 2) + kLagVariance, 1e-7);
}

TEST(CurvePeak, AtTheEndsStaysThere) {
  for (const double end : {-50.0, 50.0})
    EXPECT_EQ(curve_peak(bump(101, end, 5), PeakPolicy::parabola, 1, kLobe).position, end);
}

TEST(CurvePeak, RatioComparesTheTwoHighestPeaksAboveTheMean) {
  auto scores = bump(201, -50, 4);
  const auto other = bump(201, 60, 4);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += 0.5f * other[i];
  double mean = 0;
  for (const float s : scores) mean += s / 201.0;
  // Up to the float rounding of the scores.
  EXPECT_NEAR(curve_peak(scores, PeakPolicy::parabola, 1, kLobe).ratio, (0.5 - mean) / (1 - mean), 1e-5);
}

TEST(CurvePeak, RatioOfAFlatCurveIsOne) {
  EXPECT_EQ(curve_peak(std::vector<float>(31, 0.5f), PeakPolicy::parabola, 1, kLobe).ratio, 1);
}

TEST(SurfaceMoments, EqualNaiveSums) {
  constexpr int side = 21;
  auto scores = noise(side * side, 2);
  scores[5 * side + 17] = 0.26f;
  const SurfaceMoments m = surface_moments({scores, side}, 1.5);
  EXPECT_EQ(m.best_row, 5);
  EXPECT_EQ(m.best_column, 17);
  EXPECT_FLOAT_EQ(static_cast<float>(m.best), 0.26f);
  SurfaceMoments naive;
  for (int r = 0; r < side; ++r) {
    for (int c = 0; c < side; ++c) {
      const double w = std::exp((double(scores[std::size_t(r * side + c)]) - double(0.26f)) * 100 / 1.5);
      const double row = r - 10, column = c - 10;
      naive.weight += w;
      naive.row += w * row;
      naive.column += w * column;
      naive.row_row += w * row * row;
      naive.row_column += w * row * column;
      naive.column_column += w * column * column;
    }
  }
  // Weights may be made in single precision, good to 1e-7 each; products of positions are up to 100.
  const double rounding = 1e-7 * 100 * naive.weight;
  EXPECT_NEAR(m.weight, naive.weight, rounding);
  EXPECT_NEAR(m.row, naive.row, rounding);
  EXPECT_NEAR(m.column, naive.column, rounding);
  EXPECT_NEAR(m.row_row, naive.row_row, rounding);
  EXPECT_NEAR(m.row_column, naive.row_column, rounding);
  EXPECT_NEAR(m.column_column, naive.column_column, rounding);
}

std::vector<float> surface_with(int side, std::vector<std::pair<std::pair<int, int>, float>> peaks) {
  std::vector<float> scores(static_cast<std::size_t>(side * side));
  for (const auto& [cell, height] : peaks) scores[std::size_t(cell.first * side + cell.second)] = height;
  return scores;
}

// Two lone cells on zeros: the mean hardly matters, but exactly.
double expected_ratio(double first, double second, int side) {
  const double mean = (first + second) / (side * side);
  return (second - mean) / (first - mean);
}

TEST(PeakRatio, ComparesTheBestWithWhatLiesOutsideItsLobe) {
  constexpr int side = 31;
  for (const std::pair<int, int>& best :
       {std::pair{15, 15}, {0, 0}, {0, 30}, {30, 0}, {30, 30}, {0, 12}, {12, 30}}) {
    for (const std::pair<int, int>& other : {std::pair{15, 25}, {4, 4}, {26, 3}, {25, 25}, {6, 20}}) {
      const auto scores = surface_with(side, {{best, 1.f}, {other, 0.5f}});
      const int distance = std::max(std::abs(best.first - other.first), std::abs(best.second - other.second));
      const double expected = distance > 4 ? expected_ratio(1, 0.5, side) : 0;
      EXPECT_NEAR(peak_ratio({scores, side}, best.first, best.second, 4), expected, 1e-6);
    }
  }
}

TEST(PeakRatio, TheLobeIsNotASecondPeak) {
  constexpr int side = 31;
  const auto inside = surface_with(side, {{{15, 15}, 1.f}, {{18, 12}, 0.9f}});
  EXPECT_EQ(peak_ratio({inside, side}, 15, 15, 3), 0);
  EXPECT_GT(peak_ratio({inside, side}, 15, 15, 2), 0.8);
}

TEST(PeakRatio, OfAFlatSurfaceIsOne) {
  const std::vector<float> flat(49, 0.3f);
  EXPECT_EQ(peak_ratio({flat, 7}, 0, 0, 1), 1);
}

TEST(ParabolaVertex, FindsBothFractionsAndStopsAtTheBorder) {
  constexpr int side = 11;
  std::vector<float> scores;
  for (int r = 0; r < side; ++r)
    for (int c = 0; c < side; ++c)
      scores.push_back(static_cast<float>(1 - 0.01 * std::pow(r - 3.2, 2) - 0.02 * std::pow(c - 6.4, 2)));
  const SurfacePosition vertex = parabola_vertex({scores, side}, 3, 6);
  EXPECT_NEAR(vertex.row, 3.2 - 5, 1e-4);  // float scores near 1 with a curvature of 0.02
  EXPECT_NEAR(vertex.column, 6.4 - 5, 1e-4);
  const SurfacePosition corner = parabola_vertex({scores, side}, 0, 10);
  EXPECT_EQ(corner.row, -5);
  EXPECT_EQ(corner.column, 5);
}

}  // namespace
}  // namespace fmbym
