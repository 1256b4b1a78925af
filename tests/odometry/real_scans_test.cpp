// Real scans against their ground truth.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include "fmbym/datasets/dataset.hpp"
#include "fmbym/odometry/odometry.hpp"
#include "support/real_data.hpp"

namespace fmbym {
namespace {

std::vector<SE2> increments(const Dataset& dataset, Method method) {
  Odometry odometry(make_config(method, Preset::standard, 255));
  std::vector<SE2> increments;
  for (std::size_t i = 0; i < dataset.size(); ++i)
    increments.push_back(odometry.register_scan(dataset.read(i)).T_prev_curr);
  return increments;
}

TEST(RealScans, MatchTheirGroundTruth) {
  FMBYM_NEEDS_REAL_DATA("oxford-tiny");
  const auto dataset = open_dataset(testing::real_data("oxford-tiny"));
  ASSERT_EQ(dataset->size(), 11u);
  const auto& truth = dataset->ground_truth();
  ASSERT_EQ(truth.size(), dataset->size());
  const std::vector<SE2> estimates = increments(*dataset, Method::f_raw);
  double x = 0, y = 0, yaw = 0;
  for (std::size_t i = 1; i < dataset->size(); ++i) {
    ASSERT_TRUE(truth[i - 1] && truth[i]);
    const SE2 T_prev_curr = truth[i - 1]->inverse() * *truth[i];
    x += std::abs(estimates[i].x - T_prev_curr.x) / 10;
    y += std::abs(estimates[i].y - T_prev_curr.y) / 10;
    yaw += std::abs(wrap_angle(estimates[i].yaw - T_prev_curr.yaw)) * 180 / std::numbers::pi / 10;
  }
  // Scans distorted by the motion and without masks; the ground truth itself is good to some centimetres.
  // What was measured with some room: worse means that something broke.
  EXPECT_LE(x, 0.10);
  EXPECT_LE(y, 0.07);
  EXPECT_LE(yaw, 0.16);
}

TEST(RealScans, TwoRunsGiveTheSameBytes) {
  FMBYM_NEEDS_REAL_DATA("oxford-tiny");
  const auto dataset = open_dataset(testing::real_data("oxford-tiny"));
  const auto first = increments(*dataset, Method::f_raw), second = increments(*dataset, Method::f_raw);
  ASSERT_EQ(first.size(), second.size());
  EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof(SE2)), 0);
}

}  // namespace
}  // namespace fmbym
