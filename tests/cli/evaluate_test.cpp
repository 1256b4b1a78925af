// Trajectory files judged by the program.
#include <gtest/gtest.h>

#include <fstream>

#include "cli/expectations.hpp"
#include "fmbym/evaluation/trajectory.hpp"
#include "support/real_data.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

// Straight ahead in steps of 2 m, four times a second.
Trajectory straight(int poses, double scale = 1) {
  Trajectory trajectory;
  for (int i = 0; i < poses; ++i) {
    trajectory.time_ns.push_back(1'500'000'000'000'000'000 + i * std::int64_t{250'000'000});
    trajectory.T_world.push_back(to_spatial({2 * scale * i, 0, 0}));
  }
  return trajectory;
}

class EvaluateCommand : public ::testing::Test {
 protected:
  std::filesystem::path write(const char* name, const Trajectory& trajectory, TrajectoryFormat format) {
    write_trajectory(folder_ / name, trajectory, format);
    return folder_ / name;
  }
  Outcome evaluate(const std::filesystem::path& truth, const std::filesystem::path& estimate,
                   const Arguments& more = {}) {
    Arguments arguments = {"evaluate", "--groundtruth", truth, "--estimate", estimate};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  TemporaryFolder folder_;
  std::filesystem::path truth_ = write("truth.txt", straight(111), TrajectoryFormat::tum);
};

TEST_F(EvaluateCommand, OnePercentTooLongIsOnePercent) {
  for (const auto format : {TrajectoryFormat::tum, TrajectoryFormat::kitti, TrajectoryFormat::oxford_csv}) {
    SCOPED_TRACE(to_string(format));
    const auto estimate = write("estimate", straight(111, 1.01), format);
    const Outcome outcome = evaluate(truth_, estimate, {"--json"});
    expect_done(outcome);
    EXPECT_EQ(outcome.err, "");
    const Json score = outcome.json();
    EXPECT_NEAR(score["kitti"]["translation_percent"].get<double>(), 1,
                0.03);  // a segment is up to 2 m longer
    EXPECT_NEAR(score["kitti"]["rotation_deg_per_km"].get<double>(), 0, 1e-6);
    EXPECT_EQ(score["poses"], 111);
    EXPECT_NEAR(score["distance_m"].get<double>(), 220, 1e-6);
    EXPECT_EQ(score["kitti"]["by_length"].size(), 2u);
    EXPECT_NEAR(score["kitti"]["by_length"]["100"][0].get<double>(), 1, 0.03);
    EXPECT_NEAR(score["ate_m"].get<double>(), 0.01 * 220 / std::sqrt(12),
                0.02);  // spread evenly over the line
  }
}

TEST_F(EvaluateCommand, AFileAgainstItselfIsWithoutError) {
  const Json score = evaluate(truth_, truth_, {"--json"}).json();
  EXPECT_NEAR(score["kitti"]["translation_percent"].get<double>(), 0, 1e-6);
  EXPECT_NEAR(score["ate_m"].get<double>(), 0, 1e-6);
}

TEST_F(EvaluateCommand, TextHasALineForEveryLength) {
  const Outcome outcome = evaluate(truth_, write("estimate", straight(111, 1.01), TrajectoryFormat::tum));
  expect_done(outcome);
  expect_contains(outcome.out, {"111 poses, 220.0 m", "KITTI", "%", "°/km", "ATE", " 100 m ", " 200 m "});
  EXPECT_EQ(outcome.out.find(" 300 m "), std::string::npos);
}

TEST_F(EvaluateCommand, AShortPathHasNoKittiScore) {
  const auto estimate = write("estimate", straight(20), TrajectoryFormat::tum);
  const Outcome outcome = evaluate(truth_, estimate, {"--json"});
  expect_done(outcome);
  EXPECT_EQ(outcome.json()["kitti"], nullptr);
  EXPECT_TRUE(outcome.json()["ate_m"].is_number());
  expect_contains(evaluate(truth_, estimate).out, {"none: the path is shorter than 100 m"});
}

TEST_F(EvaluateCommand, PosesWithoutAPartnerAreNoted) {
  const auto estimate = write("estimate", straight(120), TrajectoryFormat::tum);
  const Outcome outcome = evaluate(truth_, estimate, {"--json"});
  expect_done(outcome);
  expect_contains(outcome.err, {"note: 9 poses of the estimate have no partner"});
  EXPECT_EQ(outcome.json()["poses"], 111);
}

TEST_F(EvaluateCommand, WithoutTimesTheNumbersMustAgree) {
  const auto estimate = write("estimate", straight(110), TrajectoryFormat::kitti);
  expect_failure(evaluate(truth_, estimate), kFailed, {"111 poses", "110", "give both with times"});
}

TEST_F(EvaluateCommand, AnotherDriveIsNoPartner) {
  Trajectory later = straight(111);
  for (auto& time : later.time_ns) time += std::int64_t{3'600'000'000'000};
  expect_failure(evaluate(truth_, write("estimate", later, TrajectoryFormat::tum)), kFailed,
                 {"0 of 111 poses", "one clock"});
}

TEST_F(EvaluateCommand, OptionsOutOfRangeSayWhatIsMissing) {
  expect_failure(evaluate(truth_, truth_, {"--angle", "asin"}), kFailed,
                 {"--angle", "asin", "atan2", "acos"});
  for (const char* step : {"0", "-1"})
    expect_failure(evaluate(truth_, truth_, {"--step", step}), kFailed, {"--step", step, "at least 1"});
}

TEST_F(EvaluateCommand, BadFilesAreNamed) {
  const std::filesystem::path missing = folder_ / "nowhere.txt", bad = folder_ / "bad.txt";
  expect_failure(evaluate(truth_, missing), kFailed, {missing.c_str(), "cannot read", "check the path"});
  expect_failure(evaluate(missing, truth_), kFailed, {missing.c_str(), "cannot read", "check the path"});
  expect_failure(evaluate(truth_, folder_.path()), kFailed, {folder_.path().c_str(), "not a folder"});
  const std::pair<const char*, const char*> contents[] = {
      {"", "holds no poses"},
      {"1 2 3\n", "3 columns"},
      {"0 0 0 0 0 0 0 1\n", "fewer than two poses"},
      {"0 0 0 0 0 0 0 1\n1 nan 0 0 0 0 0 1\n", "must be finite"},
      {"1 0 0 0 0 0 0 1\n0 0 0 0 0 0 0 1\n", "sort the lines"},
      {"0 0 0 0 0 0 0 1\n1 0 0\n", "complete the line"},
      {"x,y\n1,2\n", "header"},
      {"\x89PNG\r\n\x1a\n", "no known format"},
  };
  for (const auto& [text, complaint] : contents) {
    write_file(bad, text);
    expect_failure(evaluate(truth_, bad), kFailed, {bad.c_str(), complaint, "; "});
  }
}

class PublishedRun : public ::testing::TestWithParam<const char*> {};

// CFEAR's authors printed three decimals, and rotation for 100 m.
TEST_P(PublishedRun, ScoresAsPublished) {
  FMBYM_NEEDS_REAL_DATA("metric");
  const auto file = [](const char* suffix) {
    return real_data("metric") / (std::string(GetParam()) + suffix);
  };
  const Outcome outcome = run({"evaluate", "--groundtruth", file("_gt.txt"), "--estimate", file("_est.txt"),
                               "--step", "10", "--angle", "acos", "--json"});
  expect_done(outcome);
  std::map<std::string, double> published;
  std::ifstream in(file("_result.txt"));
  for (std::string name, rest; std::getline(in, name, ','); std::getline(in, rest)) in >> published[name];
  const Json kitti = outcome.json()["kitti"];
  EXPECT_NEAR(kitti["translation_percent"].get<double>(), published.at("Trans.err.(%)"), 0.001);
  EXPECT_NEAR(kitti["rotation_deg_per_km"].get<double>() / 10, published.at("Rot.err.(deg/100m)"), 0.001);
}

INSTANTIATE_TEST_SUITE_P(CFEAR, PublishedRun, ::testing::Values("oxford_job1", "oxford_job7", "mulran_job3"),
                         [](const auto& run) { return std::string(run.param); });

}  // namespace
}  // namespace fmbym::testing
