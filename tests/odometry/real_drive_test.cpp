// A real drive of half a kilometre against its ground truth: the score, the covariance, bursts of bad
// scans, and other receivers.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "fmbym/datasets/dataset.hpp"
#include "fmbym/evaluation/metrics.hpp"
#include "fmbym/odometry/odometry.hpp"
#include "support/real_data.hpp"

namespace fmbym {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

struct Step {
  SE2 truth;  // T_prev_curr
  Registration found;

  SE2 error() const { return truth.inverse() * found.T_prev_curr; }
};

struct Drive {
  std::vector<Step> steps;
  KittiScore::Error score;
};

// Changes the scan of this index; returns whether it arrives at all.
using Fate = std::function<bool(PolarScan&, std::size_t)>;

Drive drive(const Fate& fate) {
  const auto dataset = open_dataset(testing::real_data("oxford-reduced/val"));
  const auto& truth = dataset->ground_truth();
  Odometry odometry(make_config(Method::f_raw, Preset::standard, 255));
  Drive drive;
  Trajectory true_path, path;
  std::size_t before = 0;
  for (std::size_t i = 0; i < dataset->size(); ++i) {
    PolarScan scan = dataset->read(i);
    if (!fate(scan, i)) continue;
    const Registration found = odometry.register_scan(scan);
    drive.steps.push_back({truth[before]->inverse() * *truth[i], found});
    true_path.T_world.push_back(to_spatial(*truth[i]));
    path.T_world.push_back(to_spatial(found.T_world_curr));
    before = i;
  }
  drive.score = kitti_score(true_path, path)->mean;
  return drive;
}

const Drive& good_drive() {
  static const Drive good = drive([](PolarScan&, std::size_t) { return true; });
  return good;
}

TEST(RealDrive, ScoresBetterThanTheTarget) {
  FMBYM_NEEDS_REAL_DATA("oxford-reduced/val");
  EXPECT_LE(good_drive().score.translation_percent, 1.6);
  EXPECT_LE(good_drive().score.rotation_deg_per_km, 8);
}

TEST(RealDrive, HasNoGrossJump) {
  FMBYM_NEEDS_REAL_DATA("oxford-reduced/val");
  for (const Step& step : good_drive().steps) {
    EXPECT_LT(std::hypot(step.error().x, step.error().y), 1);
    EXPECT_LT(std::abs(step.error().yaw), 2 * kDegree);
    EXPECT_TRUE(step.found.match.reliable);
    EXPECT_FALSE(step.found.bridged);
  }
}

// Three numbers, so that e'Σ⁻¹e is 3 on average where Σ is right.
TEST(RealDrive, CovarianceFitsTheErrors) {
  FMBYM_NEEDS_REAL_DATA("oxford-reduced/val");
  double sum = 0;
  int count = 0;
  for (const Step& step : good_drive().steps) {
    if (count++ == 0) continue;
    const SE2 error = step.error();
    Eigen::Matrix3d covariance;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        covariance(i, k) = step.found.match.covariance[std::size_t(i)][std::size_t(k)];
    const Eigen::Vector3d e(error.x, error.y, error.yaw);
    sum += e.dot(covariance.ldlt().solve(e));
  }
  const double normalised = sum / (count - 1) / 3;
  EXPECT_GT(normalised, 0.5);
  EXPECT_LT(normalised, 2);
}

// Bursts of one to five bad scans every thirty.
bool in_burst(std::size_t scan) {
  return scan % 30 >= 20 && scan % 30 < 21 + (scan / 30) % 5;
}

void expect_survived(const Drive& troubled) {
  EXPECT_LT(troubled.score.translation_percent, 1.2 * good_drive().score.translation_percent);
  EXPECT_LT(troubled.score.rotation_deg_per_km, 1.2 * good_drive().score.rotation_deg_per_km);
}

TEST(RealDrive, SurvivesBurstsOfBlankScans) {
  FMBYM_NEEDS_REAL_DATA("oxford-reduced/val");
  const Drive troubled = drive([](PolarScan& scan, std::size_t i) {
    if (in_burst(i)) scan.power.assign(scan.power.size(), 0);
    return true;
  });
  expect_survived(troubled);
  for (std::size_t i = 1; i < troubled.steps.size(); ++i) {
    EXPECT_EQ(troubled.steps[i].found.bridged, in_burst(i)) << i;
    if (!in_burst(i) && in_burst(i - 1)) {
      EXPECT_TRUE(troubled.steps[i].found.recovered) << i;
    }
  }
}

TEST(RealDrive, SurvivesBurstsOfMissingScans) {
  FMBYM_NEEDS_REAL_DATA("oxford-reduced/val");
  const Drive troubled = drive([](PolarScan&, std::size_t i) { return !in_burst(i); });
  expect_survived(troubled);
  for (const Step& step : troubled.steps) EXPECT_FALSE(step.found.bridged);
}

// Radars of another gain, or another zero of their logarithm.
TEST(RealDrive, DoesNotDependOnTheGain) {
  FMBYM_NEEDS_REAL_DATA("oxford-reduced/val");
  struct Receiver {
    double gain, offset;
  };
  for (const auto [gain, offset] : {Receiver{0.4, 0}, Receiver{1.3, 0}, Receiver{0.8, 30}}) {
    const Drive other = drive([=](PolarScan& scan, std::size_t) {
      for (std::uint8_t& power : scan.power)
        power = static_cast<std::uint8_t>(std::min(255.0, std::round(gain * power + offset)));
      return true;
    });
    EXPECT_NEAR(other.score.translation_percent, good_drive().score.translation_percent, 0.1) << gain;
    EXPECT_NEAR(other.score.rotation_deg_per_km, good_drive().score.rotation_deg_per_km, 0.5) << gain;
  }
}

}  // namespace
}  // namespace fmbym
