// Scores that the authors of CFEAR computed with their own program from the same files. They print three
// decimals.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

#include "evaluation/trajectories.hpp"
#include "fmbym/evaluation/metrics.hpp"
#include "support/real_data.hpp"

namespace fmbym {
namespace {

using testing::real_data;

constexpr double kLastDigit = 0.001;

// Lines of "name, value".
std::map<std::string, double> read_results(const std::filesystem::path& file) {
  std::map<std::string, double> results;
  std::ifstream in(file);
  for (std::string name; std::getline(in, name, ',');) {
    in >> results[name];
    std::getline(in, name);
  }
  return results;
}

class PublishedScores : public ::testing::TestWithParam<const char*> {
 protected:
  std::filesystem::path file(const char* suffix) const {
    return real_data("metric") / (std::string(GetParam()) + suffix);
  }
  Trajectory trajectory(const char* suffix) const { return read_trajectory(file(suffix)).trajectory; }
};

TEST_P(PublishedScores, AreReproducedWithTheirStepAndAngle) {
  FMBYM_NEEDS_REAL_DATA("metric");
  const auto published = read_results(file("_result.txt"));
  const auto score =
      kitti_score(trajectory("_gt.txt"), trajectory("_est.txt"), {.step = 10, .angle = AngleFormula::acos});
  ASSERT_TRUE(score);
  EXPECT_NEAR(score->mean.translation_percent, published.at("Trans.err.(%)"), kLastDigit);
  EXPECT_NEAR(score->mean.rotation_deg_per_km / 10, published.at("Rot.err.(deg/100m)"), kLastDigit);
}

TEST_P(PublishedScores, TheirAbsoluteErrorAlignsTheFirstPose) {
  FMBYM_NEEDS_REAL_DATA("metric");
  const auto published = read_results(file("_result.txt"));
  const auto truth = trajectory("_gt.txt"), estimate = trajectory("_est.txt");
  EXPECT_NEAR(absolute_trajectory_error(truth, estimate, Alignment::first_pose), published.at("ATE(m)"),
              kLastDigit);
  EXPECT_LT(absolute_trajectory_error(truth, estimate, Alignment::rigid), published.at("ATE(m)"));
}

INSTANTIATE_TEST_SUITE_P(CFEAR, PublishedScores,
                         ::testing::Values("oxford_job1", "oxford_job7", "mulran_job3"),
                         [](const auto& run) { return std::string(run.param); });

// One drive's ground truth in both formats: increments to chain, and the rows that CFEAR's authors chained.
TEST(RealTrajectories, ChainedIncrementsAreTheRowsOfTheSameDrive) {
  FMBYM_NEEDS_REAL_DATA("metric");
  FMBYM_NEEDS_REAL_DATA("drives");
  const auto chained = read_trajectory(real_data("drives/2019-01-10-11-46-21.csv"));
  const auto rows = read_trajectory(real_data("metric/oxford_job7_gt.txt"));
  EXPECT_EQ(chained.format, TrajectoryFormat::oxford_csv);
  EXPECT_EQ(rows.format, TrajectoryFormat::kitti);
  EXPECT_EQ(chained.trajectory.time_ns.front(), 1547120787645464000);
  ASSERT_EQ(chained.trajectory.size(), rows.trajectory.size() + 1);  // they leave the last increment out
  for (std::size_t i = 0; i < rows.trajectory.size(); ++i) {
    const auto difference =
        (chained.trajectory.T_world[i].matrix() - rows.trajectory.T_world[i].matrix()).eval();
    ASSERT_NEAR(difference.cwiseAbs().maxCoeff(), 0, 1e-6) << "pose " << i;  // they print six decimals
  }
}

}  // namespace
}  // namespace fmbym
