#include "report/axes.hpp"

#include <gtest/gtest.h>

namespace fmbym::report {
namespace {

std::vector<std::string> labels(const Axis& axis, double step) {
  std::vector<std::string> all;
  for (const Tick& tick : ticks(axis, step)) all.push_back(tick.label);
  return all;
}

TEST(Axes, StepByRoundNumbers) {
  EXPECT_DOUBLE_EQ(nice_step(30, 8), 5);
  EXPECT_DOUBLE_EQ(nice_step(0.8, 8), 0.1);
  EXPECT_DOUBLE_EQ(nice_step(1100, 6), 200);
  EXPECT_DOUBLE_EQ(nice_angle_step(60, 6), 10);
  EXPECT_DOUBLE_EQ(nice_angle_step(180, 6), 30);
}

TEST(Axes, TickBothEndsWithAsManyDecimalsAsTheStepNeeds) {
  EXPECT_EQ(labels({-1, 1}, 0.5), (std::vector<std::string>{"−1.0", "−0.5", "0.0", "0.5", "1.0"}));
  EXPECT_EQ(labels({0.3, 0.9}, 0.3), (std::vector<std::string>{"0.3", "0.6", "0.9"}));
  EXPECT_EQ(labels({-7, 12}, 5), (std::vector<std::string>{"−5", "0", "5", "10"}));
}

TEST(Axes, TicksEndWhereNumbersAreTooCloseToCount) {
  EXPECT_LE(ticks({0.5, 0.5 + 1e-16}, 1e-17).size(), 50u);
}

TEST(Axes, PlotGrowsToTheRightAndUpwards) {
  const Plot plot({100, 50, 200, 80}, -10, 10, 0, 4);
  EXPECT_DOUBLE_EQ(plot.at(-10, 0).x, 100);
  EXPECT_DOUBLE_EQ(plot.at(10, 0).x, 300);
  EXPECT_DOUBLE_EQ(plot.at(0, 0).y, 130);
  EXPECT_DOUBLE_EQ(plot.at(0, 4).y, 50);
}

}  // namespace
}  // namespace fmbym::report
