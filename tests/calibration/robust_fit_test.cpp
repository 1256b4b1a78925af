#include "calibration/robust_fit.hpp"

#include <gtest/gtest.h>

#include <random>

namespace fmbym {
namespace {

const Eigen::Vector2d kTruth(0.98, -0.3);

// Displacements of 1 to 10 m in every direction, turned and scaled as one complex number does it.
std::vector<Observation> observations(std::size_t count, double noise) {
  std::mt19937 random(3);
  std::normal_distribution<double> error(0, 1);
  std::uniform_real_distribution<double> place(-10, 10);
  std::vector<Observation> all(count);
  for (Observation& o : all) {
    const double x = place(random), y = place(random);
    o.design << x, -y, y, x;
    o.observed = o.design * kTruth + noise * Eigen::Vector2d(error(random), error(random));
  }
  return all;
}

TEST(RobustFit, IsExactWithoutNoise) {
  EXPECT_LT((robust_fit(observations(20, 0)) - kTruth).norm(), 1e-9);
}

// 200 observations of about 8 m with errors of 0.05 m: 0.05 / 8 / sqrt(200) = 0.0004; four of that.
TEST(RobustFit, AveragesNoise) {
  EXPECT_LT((robust_fit(observations(200, 0.05)) - kTruth).norm(), 0.0018);
}

// Least squares would be off by about 0.1 · 10 m / 8 m.
TEST(RobustFit, ATenthOfThemMayBeFarOff) {
  auto all = observations(200, 0.05);
  for (std::size_t i = 0; i < all.size(); i += 10) all[i].observed += all[i].design * Eigen::Vector2d(1, 1);
  EXPECT_LT((robust_fit(all) - kTruth).norm(), 0.003);
}

// The second unknown occurs in no equation: the prior keeps it at 0.
TEST(RobustFit, APriorDecidesWhatTheObservationsLeaveOpen) {
  auto all = observations(20, 0);
  for (Observation& o : all) {
    o.design.col(1).setZero();
    o.observed = 2 * o.design.col(0);
  }
  const Eigen::Vector2d found = robust_fit(all, {0, 1});
  EXPECT_NEAR(found.x(), 2, 1e-9);
  EXPECT_EQ(found.y(), 0);
}

}  // namespace
}  // namespace fmbym
