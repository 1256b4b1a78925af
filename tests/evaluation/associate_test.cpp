#include <gtest/gtest.h>

#include <limits>

#include "evaluation/trajectories.hpp"
#include "fmbym/evaluation/metrics.hpp"

namespace fmbym {
namespace {

using testing::contains;
using testing::message_of;
using testing::straight;

// A pose a millisecond given, at x = that many metres, so that pairs can be told by their positions.
Trajectory at_ms(const std::vector<int>& times) {
  Trajectory trajectory;
  for (const int ms : times) {
    trajectory.time_ns.push_back(ms * 1'000'000LL);
    trajectory.T_world.push_back(to_spatial({static_cast<double>(ms), 0, 0}));
  }
  return trajectory;
}

std::vector<int> positions(const Trajectory& trajectory) {
  std::vector<int> xs;
  for (const auto& pose : trajectory.T_world) xs.push_back(static_cast<int>(pose.translation().x()));
  return xs;
}

TEST(Associate, PairsTheNearestTimesWithinTheTolerance) {
  const auto pair = associate(at_ms({0, 250, 500, 750, 1000}), at_ms({10, 240, 530, 752}), 0.02);
  EXPECT_EQ(positions(pair.truth), (std::vector{0, 250, 750}));
  EXPECT_EQ(positions(pair.estimate), (std::vector{10, 240, 752}));
  EXPECT_EQ(pair.truth.time_ns.back(), 750'000'000);
  EXPECT_EQ(pair.estimate.time_ns.back(), 752'000'000);
  EXPECT_EQ(pair.dropped, 1u);
}

TEST(Associate, UsesATruthPoseOnceForTheNearest) {
  const auto pair = associate(at_ms({0, 100, 200}), at_ms({0, 92, 97, 104, 109, 200}), 0.02);
  EXPECT_EQ(positions(pair.truth), (std::vector{0, 100, 200}));
  EXPECT_EQ(positions(pair.estimate), (std::vector{0, 97, 200}));
  EXPECT_EQ(pair.dropped, 3u);
}

TEST(Associate, TakesTheToleranceAtItsWordAndNoFurther) {
  EXPECT_EQ(associate(at_ms({0, 100}), at_ms({20, 120}), 0.02).truth.size(), 2u);
  EXPECT_TRUE(contains(message_of([] {
                         associate(at_ms({0, 100}), at_ms({20, 121}), 0.02);
                       }),
                       "1 of 2 poses"));
}

TEST(Associate, CoversADenserTruthAndAnEstimateThatStartsLate) {
  const auto pair = associate(at_ms({0, 10, 20, 30, 40, 50, 60}), at_ms({29, 41, 300}), 0.02);
  EXPECT_EQ(positions(pair.truth), (std::vector{30, 40}));
  EXPECT_EQ(pair.dropped, 1u);
}

TEST(Associate, PairsByIndexWhereOneHasNoTimes) {
  for (const auto& [truth, estimate] :
       {std::pair{at_ms({0, 10, 20}), straight(2)}, {straight(2), at_ms({0, 9, 20})}}) {
    const auto pair = associate(truth, estimate);
    EXPECT_EQ(positions(pair.truth), positions(truth));
    EXPECT_EQ(positions(pair.estimate), positions(estimate));
    EXPECT_EQ(pair.dropped, 0u);
  }
}

TEST(Associate, SaysWhyNothingFits) {
  EXPECT_TRUE(contains(message_of([] { associate(straight(8616), straight(8615)); }),
                       "the ground truth has 8617 poses and the estimate 8616; "));
  EXPECT_TRUE(contains(message_of([] { associate(at_ms({0, 10}), at_ms({5000, 5010})); }), "one clock"));
  EXPECT_TRUE(contains(message_of([] { associate(at_ms({0, 10}), {}); }), "and the estimate 0; "));
  EXPECT_TRUE(contains(message_of([] { associate(straight(0), straight(0)); }), "two of each"));
  for (const double tolerance : {-1.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_TRUE(contains(message_of([&] {
                           associate(at_ms({0, 10}), at_ms({0, 10}), tolerance);
                         }),
                         "tolerance"));
}

}  // namespace
}  // namespace fmbym
