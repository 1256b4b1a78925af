// A drive with ground truth in; files out that agree with the truth and with each other.
#include <gtest/gtest.h>

#include "cli/results.hpp"
#include "support/drive.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

// The files have 1e-6 m and rather more digits of yaw; a dozen roundings add up.
constexpr double kRounding = 2e-5;

class OdometryResults : public ::testing::Test {
 protected:
  Outcome odometry(const Arguments& more = {}, const char* resolution = "127") {
    Arguments arguments = {"odometry", sequence_.folder(), "--output", output_, "--resolution", resolution};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  Results results() const { return Results(output_); }

  TemporaryFolder folder_;
  Drive drive_;
  OxfordSequence sequence_ = write_drive(folder_ / "sequence", drive_);
  std::filesystem::path output_ = folder_ / "out";
};

TEST_F(OdometryResults, AreFiveFilesAndNoOthers) {
  expect_done(odometry());
  for (const char* file : kResultFiles) EXPECT_TRUE(std::filesystem::is_regular_file(output_ / file)) << file;
  std::filesystem::directory_iterator entries(output_);
  EXPECT_EQ(std::distance(begin(entries), end(entries)), std::ssize(kResultFiles));
}

TEST_F(OdometryResults, HaveAPoseForEveryScanAtItsTime) {
  expect_done(odometry());
  const Results found = results();
  EXPECT_EQ(found.times_us(), drive_.times_us());
  EXPECT_EQ(found.kitti.size(), found.tum.size());
  EXPECT_EQ(found.increments.size() + 1, found.tum.size());
  EXPECT_EQ(found.summary["scans"], drive_.scans);
  for (std::size_t i = 0; i < found.tum.size(); ++i)
    EXPECT_TRUE(found.tum.T_world[i].isApprox(found.kitti.T_world[i], kRounding)) << i;
}

TEST_F(OdometryResults, IncrementsComposeToTheTrajectory) {
  expect_done(odometry());
  const Results found = results();
  SE2 T_world_curr;
  expect_near(found.pose(0), T_world_curr, 0, 0);
  for (std::size_t i = 0; i < found.increments.size(); ++i) {
    const CsvRow& row = found.increments[i];
    EXPECT_EQ(row.at("source_radar_timestamp"), std::to_string(Drive::time_us(static_cast<int>(i) + 1)));
    EXPECT_EQ(row.at("destination_radar_timestamp"), std::to_string(Drive::time_us(static_cast<int>(i))));
    T_world_curr = T_world_curr * SE2{number(row, "x"), number(row, "y"), number(row, "yaw")};
    expect_near(found.pose(i + 1), T_world_curr, kRounding, kRounding);
  }
}

// So that they can be evaluated, plotted and chained by whatever reads the ground truth.
TEST_F(OdometryResults, IncrementsReadAsAnOxfordFile) {
  expect_done(odometry());
  const auto file = read_trajectory(output_ / "increments.csv");
  EXPECT_EQ(file.format, TrajectoryFormat::oxford_csv);
  EXPECT_EQ(file.trajectory.time_ns, results().tum.time_ns);
}

TEST_F(OdometryResults, FollowTheTruth) {
  expect_done(odometry({}, "255"));
  const Results found = results();
  // A twentieth of a pixel and a twentieth of a degree from scan to scan, eleven times.
  for (int i = 0; i < drive_.scans; ++i)
    expect_near(found.pose(static_cast<std::size_t>(i)), drive_.T_first(i), 0.2, 0.01);
  EXPECT_NEAR(found.summary["distance_m"].get<double>(), drive_.distance(), 0.02 * drive_.distance());
  EXPECT_LT(found.summary["ate_m"], 0.1);
  EXPECT_EQ(found.summary["unreliable"], 0);
}

TEST_F(OdometryResults, SayWhatIsKnownOfEachIncrement) {
  expect_done(odometry());
  for (const CsvRow& row : results().increments) {
    EXPECT_EQ(row.at("reliable"), "1");
    for (const char* variance : {"cov_xx", "cov_yy", "cov_yawyaw"}) EXPECT_GT(number(row, variance), 0);
    for (const char* covariance : {"cov_xy", "cov_xyaw", "cov_yyaw"}) EXPECT_TRUE(row.contains(covariance));
    for (const char* fraction : {"yaw_peak_ratio", "translation_peak_ratio", "correlation"}) {
      EXPECT_GE(number(row, fraction), 0) << fraction;
      EXPECT_LE(number(row, fraction), 1) << fraction;
    }
    for (const char* time : {"decode_ms", "image_ms", "match_ms"}) EXPECT_GT(number(row, time), 0) << time;
    EXPECT_EQ(number(row, "mask_ms"), 0);
  }
}

TEST_F(OdometryResults, JsonOnStandardOutputIsTheSummary) {
  const Outcome outcome = odometry({"--json"});
  expect_done(outcome);
  EXPECT_EQ(outcome.json(), results().summary);
}

TEST_F(OdometryResults, SummaryHasAllItsMembers) {
  const Json summary = odometry({"--json"}).json();
  for (const char* member : {"method", "resolution", "precision", "preset", "scans", "distance_m", "kitti",
                             "ate_m", "timing_ms", "hz", "threads", "peak_rss_mb", "model_sha256", "version",
                             "unreliable", "skipped", "gaps", "filled_rows", "interrupted"})
    EXPECT_TRUE(summary.contains(member)) << member;
  for (const char* stage : {"decode", "image", "mask", "match", "total"})
    EXPECT_TRUE(summary["timing_ms"][stage].is_number()) << stage;
  EXPECT_EQ(summary["method"], "f-raw");
  EXPECT_EQ(summary["resolution"], 127);
  EXPECT_EQ(summary["preset"], "default");
  EXPECT_EQ(summary["precision"], "fp32");
  EXPECT_EQ(summary["version"].get<std::string>() + "\n", run({"--version"}).out);
  EXPECT_EQ(summary["model_sha256"], nullptr);
  for (const char* trouble : {"skipped", "gaps", "filled_rows"}) EXPECT_EQ(summary[trouble], 0) << trouble;
  EXPECT_EQ(summary["interrupted"], false);
}

TEST_F(OdometryResults, ConfigurationSaysHowTheRunWasMade) {
  expect_done(odometry({"--preset", "paper", "--threads", "2"}));
  const Json config = results().config;
  EXPECT_EQ(config["method"], "f-raw");
  EXPECT_EQ(config["preset"], "paper");
  EXPECT_EQ(config["threads"], 2);
  EXPECT_EQ(config["imaging"]["size"], 127);
  EXPECT_DOUBLE_EQ(config["sensor"]["range_resolution_m"], Drive::kRangeResolution);
  EXPECT_DOUBLE_EQ(config["sensor"]["azimuth_offset_rad"], Drive::kAzimuthOffset);
  EXPECT_TRUE(config.contains("fourier"));
}

TEST_F(OdometryResults, TextSaysWhatTheSummarySays) {
  const Outcome outcome = odometry();
  expect_done(outcome);
  expect_contains(outcome.out, {"f-raw at 127", "default preset", "12 scans", "ATE", "shorter than 100 m",
                                "results in " + output_.string()});
}

TEST_F(OdometryResults, AShortDriveHasNoKittiScore) {
  const Json summary = odometry({"--json"}).json();
  EXPECT_EQ(summary["kitti"], nullptr);
  EXPECT_TRUE(summary["ate_m"].is_number());
}

TEST_F(OdometryResults, WithoutGroundTruthThereIsNoScore) {
  std::filesystem::remove(sequence_.ground_truth());
  const Outcome outcome = odometry({"--json"});
  expect_done(outcome);
  EXPECT_EQ(outcome.json()["kitti"], nullptr);
  EXPECT_EQ(outcome.json()["ate_m"], nullptr);
  expect_contains(odometry().out, {"no ground truth"});
}

// Once round the circle and further, so that there are segments of 100 m.
TEST(OdometryScore, IsLowAndWhatEvaluateSays) {
  const TemporaryFolder folder;
  const Drive drive{.scans = 61, .step = 2, .azimuths = 200};
  const auto sequence = write_drive(folder / "sequence", drive);
  const std::filesystem::path out = folder / "out";
  const Outcome outcome =
      run({"odometry", sequence.folder(), "--output", out, "--resolution", "127", "--json"});
  expect_done(outcome);
  const Json summary = outcome.json();
  EXPECT_LT(summary["kitti"]["translation_percent"], 2);
  EXPECT_LT(summary["kitti"]["rotation_deg_per_km"], 20);
  EXPECT_EQ(summary["kitti"]["segments"], 3);  // from scans 0, 4 and 8 on
  EXPECT_EQ(summary["kitti"]["by_length"].size(), 1u);
  EXPECT_LT(summary["ate_m"], 0.5);

  for (const char* file : {"trajectory_tum.txt", "trajectory_kitti.txt", "increments.csv"}) {
    const Outcome judged =
        run({"evaluate", "--groundtruth", sequence.ground_truth(), "--estimate", out / file, "--json"});
    expect_done(judged);
    const Json score = judged.json();
    for (const char* error : {"translation_percent", "rotation_deg_per_km"})
      EXPECT_NEAR(score["kitti"][error].get<double>(), summary["kitti"][error].get<double>(), 1e-3) << file;
    EXPECT_EQ(score["kitti"]["segments"], summary["kitti"]["segments"]);
    EXPECT_NEAR(score["ate_m"].get<double>(), summary["ate_m"].get<double>(), 1e-4) << file;
    EXPECT_EQ(score["poses"], drive.scans);
  }
}

}  // namespace
}  // namespace fmbym::testing
