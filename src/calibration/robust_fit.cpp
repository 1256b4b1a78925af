#include "calibration/robust_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace fmbym {
namespace {

constexpr double kHuber = 1.345;      // standard deviations
constexpr double kSmallest = 1e-4;    // standard deviation that is taken for real [m]
constexpr double kConverged = 1e-10;  // change of the unknowns
constexpr int kMostRounds = 50;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<double> residuals(const std::vector<Observation>& observations, const Eigen::Vector2d& unknowns) {
  std::vector<double> lengths;
  for (const Observation& o : observations) lengths.push_back((o.observed - o.design * unknowns).norm());
  return lengths;
}

}  // namespace

Eigen::Vector2d robust_fit(const std::vector<Observation>& observations, const Eigen::Vector2d& prior) {
  std::vector<double> weights(observations.size(), 1);
  Eigen::Vector2d unknowns = Eigen::Vector2d::Zero();
  double deviation = kSmallest;
  for (int round = 0; round < kMostRounds; ++round) {
    Eigen::Matrix2d normal = (deviation * deviation * prior).asDiagonal();
    Eigen::Vector2d right = Eigen::Vector2d::Zero();
    for (std::size_t i = 0; i < observations.size(); ++i) {
      normal += weights[i] * observations[i].design.transpose() * observations[i].design;
      right += weights[i] * observations[i].design.transpose() * observations[i].observed;
    }
    const Eigen::Vector2d former = unknowns;
    unknowns = normal.ldlt().solve(right);
    if ((unknowns - former).norm() < kConverged) break;
    const auto off = residuals(observations, unknowns);
    deviation = std::max(kSmallest, median(off) / 0.6745);
    std::transform(off.begin(), off.end(), weights.begin(), [&](double residual) {
      return residual <= kHuber * deviation ? 1 : kHuber * deviation / residual;
    });
  }
  return unknowns;
}

}  // namespace fmbym
