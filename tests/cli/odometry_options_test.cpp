// What the options of `fmbym odometry` change, and what they must not.
#include <gtest/gtest.h>

#include "cli/results.hpp"
#include "support/drive.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

namespace fs = std::filesystem;

class OdometryOptions : public ::testing::Test {
 protected:
  // Its results go to a folder of that name; --resolution 127 and --threads 1 unless `more` says otherwise.
  Outcome odometry(const std::string& name, const Arguments& more = {}) {
    Arguments arguments = {"odometry", sequence_.folder(), "--output", folder_ / name};
    const auto unless_given = [&](const char* option, const char* value) {
      if (std::find(more.begin(), more.end(), option) == more.end())
        arguments.insert(arguments.end(), {option, value});
    };
    unless_given("--resolution", "127");
    unless_given("--threads", "1");
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  Results results(const std::string& name) const { return Results(folder_ / name); }
  std::string bytes(const std::string& name, const char* file) const {
    return read_file(folder_ / name / file);
  }
  void expect_same_trajectories(const std::string& a, const std::string& b) const {
    for (const char* file : {"trajectory_tum.txt", "trajectory_kitti.txt"})
      EXPECT_EQ(bytes(a, file), bytes(b, file)) << file;
  }

  TemporaryFolder folder_;
  Drive drive_{.scans = 6};
  OxfordSequence sequence_ = write_drive(folder_ / "sequence", drive_);
};

TEST_F(OdometryOptions, EveryMethodAndPresetFollowsTheTruth) {
  for (const std::string method : {"raw", "f-raw"})
    for (const std::string preset : {"default", "paper"}) {
      SCOPED_TRACE(method + " " + preset);
      const std::string name = method + preset;
      expect_done(odometry(name, {"--method", method, "--preset", preset, "--resolution", "255"}));
      const Results found = results(name);
      EXPECT_EQ(found.summary["method"], method);
      EXPECT_EQ(found.summary["preset"], preset);
      EXPECT_TRUE(found.config.contains(method == "raw" ? "exhaustive" : "fourier"));
      expect_near(found.pose(5), drive_.T_first(5), 0.2, 0.03);
    }
}

TEST_F(OdometryOptions, TwoRunsGiveTheSameBytes) {
  for (const char* name : {"one", "two"}) expect_done(odometry(name));
  expect_same_trajectories("one", "two");
  EXPECT_EQ(bytes("one", "config.json"), bytes("two", "config.json"));
}

TEST_F(OdometryOptions, ThreadsChangeNoByte) {
  for (const char* method : {"f-raw", "raw"}) {
    for (const char* threads : {"1", "2", "3"})
      expect_done(odometry(threads, {"--method", method, "--threads", threads}));
    expect_same_trajectories("1", "2");
    expect_same_trajectories("1", "3");
    EXPECT_EQ(results("2").summary["threads"], 2);
  }
}

TEST_F(OdometryOptions, ASecondRunReplacesTheFirst) {
  expect_done(odometry("out", {"--count", "5"}));
  expect_done(odometry("out", {"--count", "3"}));
  EXPECT_EQ(results("out").tum.size(), 3u);
  EXPECT_EQ(results("out").summary["scans"], 3);
}

TEST_F(OdometryOptions, FirstAndCountChooseTheScans) {
  expect_done(odometry("out", {"--first", "2", "--count", "3"}));
  const Results found = results("out");
  EXPECT_EQ(found.times_us(), (std::vector{Drive::time_us(2), Drive::time_us(3), Drive::time_us(4)}));
  expect_near(found.pose(0), {}, 0, 0);
  EXPECT_LT(found.summary["ate_m"], 0.1);  // against the truth of those scans
}

TEST_F(OdometryOptions, ACountBeyondTheEndIsAllThereAre) {
  expect_done(odometry("out", {"--first", "3", "--count", "100"}));
  EXPECT_EQ(results("out").tum.size(), 3u);
}

TEST_F(OdometryOptions, ResultsGoToOutByDefault) {
  for (const std::string given : {"sequence", "sequence/", "./sequence", "sequence/radar/.."}) {
    SCOPED_TRACE(given);
    const Outcome outcome = run({"odometry", given, "--resolution", "127"}, {.folder = folder_.path()});
    expect_done(outcome);
    expect_contains(outcome.out, {"results in out/sequence"});
    for (const char* file : kResultFiles) EXPECT_TRUE(fs::exists(folder_ / "out/sequence" / file)) << file;
    fs::remove_all(folder_ / "out");
  }
}

TEST_F(OdometryOptions, TheSequenceInTheWorkingDirectoryHasAName) {
  expect_done(run({"odometry", ".", "--resolution", "127"}, {.folder = sequence_.folder()}));
  EXPECT_TRUE(fs::exists(sequence_.folder() / "out/sequence/summary.json"));
}

TEST_F(OdometryOptions, OutputMayHaveFoldersToBeMade) {
  expect_done(odometry("a/b/c"));
  EXPECT_EQ(results("a/b/c").tum.size(), 6u);
}

TEST_F(OdometryOptions, TwiceTheRangeResolutionIsTwiceTheDistance) {
  const std::string doubled = std::to_string(2 * Drive::kRangeResolution);
  expect_done(odometry("once"));
  expect_done(odometry("twice", {"--range-resolution", doubled}));
  const Results once = results("once"), twice = results("twice");
  EXPECT_NEAR(twice.summary["distance_m"].get<double>(), 2 * once.summary["distance_m"].get<double>(), 0.5);
  EXPECT_DOUBLE_EQ(twice.config["sensor"]["range_resolution_m"], 2 * Drive::kRangeResolution);
}

// The radar is mounted turned to the right by a quarter: what it sees ahead lies to the right.
TEST_F(OdometryOptions, AzimuthOffsetTurnsTheMotion) {
  const double quarter = std::numbers::pi / 2;
  expect_done(odometry("out", {"--azimuth-offset", std::to_string(Drive::kAzimuthOffset + quarter)}));
  const SE2 ahead = drive_.T_prev_curr();
  expect_near(results("out").pose(1), {-ahead.y, ahead.x, ahead.yaw}, 0.1, 0.01);
}

TEST_F(OdometryOptions, RangeOffsetIsTaken) {
  expect_done(odometry("out", {"--range-offset", "-0.3"}));
  EXPECT_DOUBLE_EQ(results("out").config["sensor"]["range_offset_m"], -0.3);
  expect_done(odometry("none"));
  EXPECT_NE(bytes("out", "trajectory_tum.txt"), bytes("none", "trajectory_tum.txt"));
}

TEST_F(OdometryOptions, AnyOddResolutionWorks) {
  for (const char* resolution : {"101", "255", "511"}) {
    expect_done(odometry("out", {"--resolution", resolution}));
    EXPECT_EQ(results("out").config["imaging"]["size"], std::stoi(resolution));
    expect_near(results("out").pose(5), drive_.T_first(5), 0.3, 0.03);
  }
}

}  // namespace
}  // namespace fmbym::testing
