// fmbym simulate, as a user runs it.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "cli/expectations.hpp"
#include "cli/program.hpp"
#include "support/oxford_writer.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

namespace fs = std::filesystem;

class Simulate : public ::testing::Test {
 protected:
  Outcome simulate(const Arguments& more, const Surroundings& surroundings = {}) const {
    Arguments arguments = {"simulate", output_, "--reduced", "--azimuths", "100"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, surroundings);
  }
  void expect_nothing_left() const {
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      ADD_FAILURE() << entry.path() << " is left";
  }

  TemporaryFolder folder_;
  fs::path output_ = folder_ / "sequence";
};

TEST_F(Simulate, WritesASequenceThatOdometryRuns) {
  const Outcome outcome = simulate({"--scans", "5", "--seed", "7", "--style", "park", "--json"});
  expect_done(outcome);
  const Json json = outcome.json();
  EXPECT_EQ(json["scans"], 5);
  EXPECT_EQ(json["style"], "park");
  EXPECT_EQ(json["range_bins"], 432);
  const Json info = run({"info", output_, "--json"}).json();
  EXPECT_EQ(info["scans"], 5);
  EXPECT_EQ(info["ground_truth_poses"], 5);
  EXPECT_TRUE(info["remarks"].empty());
  expect_done(run({"odometry", output_, "--output", folder_ / "out", "--resolution", "127"}));
}

TEST_F(Simulate, GivesTheSameFilesWithAnyNumberOfThreads) {
  expect_done(simulate({"--scans", "4", "--threads", "1"}));
  const fs::path other = folder_ / "other";
  expect_done(run({"simulate", other, "--reduced", "--azimuths", "100", "--scans", "4", "--threads", "3"}));
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(output_)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    EXPECT_EQ(read_file(entry.path()), read_file(other / fs::relative(entry.path(), output_)))
        << entry.path();
  }
  EXPECT_EQ(files, 4u + 3u);
}

TEST_F(Simulate, FollowsADrive) {
  const OxfordSequence real(folder_ / "real");
  std::vector<OxfordIncrement> increments;
  for (int i = 0; i < 4; ++i)
    increments.push_back(
        {kScanStart_us + i * kScanPeriod_us, kScanStart_us + (i + 1) * kScanPeriod_us, {2, 0, 0.01}});
  real.write_ground_truth(increments);
  const Outcome outcome = simulate({"--drive", real.ground_truth(), "--json"});
  expect_done(outcome);
  EXPECT_EQ(outcome.json()["scans"], 5);
  EXPECT_NEAR(outcome.json()["distance_m"].get<double>(), 8, 1e-6);
  EXPECT_TRUE(fs::exists(output_ / "radar" / fmt::format("{}.png", kScanStart_us)));
}

TEST_F(Simulate, ComparesWithASequence) {
  expect_done(simulate({"--scans", "3"}));
  const Json json = run({"simulate", "--compare", output_, "--scans", "3", "--json"}).json();
  for (const char* side : {"real", "simulated"}) {
    EXPECT_GT(json[side]["mean"], 0);
    EXPECT_EQ(json[side]["range_correlation"].size(), 4u);
    EXPECT_TRUE(json[side]["quantiles"].contains("99.9"));
  }
  EXPECT_EQ(json["real"], json["simulated"]) << "the same seed, and a radar like the sequence's";
  const Outcome table = run({"simulate", "--compare", output_, "--scans", "3"});
  expect_contains(table.out,
                  {"real", "simulated", "99.9 %", "correlation, 4 bins", "correlation, next scan"});
}

TEST_F(Simulate, ImpossibleOptionsAreRefused) {
  expect_failure(run({"simulate", output_, "--azimuths", "3"}), kFailed, {"--azimuths 3", "16 to 5600"});
  expect_failure(simulate({"--scans", "0"}), kFailed, {"--scans 0"});
  expect_failure(simulate({"--style", "rural"}), kFailed, {"--style rural", "urban"});
  expect_failure(simulate({"--range-resolution", "0"}), kFailed, {"--range-resolution 0"});
  expect_failure(simulate({"--drive", folder_ / "none.csv"}), kFailed, {"none.csv", "cannot read"});
  expect_failure(simulate({"--seed", "x"}), kWrongUsage, {"--seed", "simulate --help"});
  expect_failure(run({"simulate"}), kFailed, {"OUT", "--compare"});
  expect_nothing_left();
}

TEST_F(Simulate, AFolderThatIsThereIsLeftAlone) {
  fs::create_directories(output_);
  write_file(output_ / "mine", "precious");
  expect_failure(simulate({"--scans", "2"}), kFailed, {output_.c_str(), "not there yet"});
  EXPECT_EQ(read_file(output_ / "mine"), "precious");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(Simulate, AFullDiskLeavesNothing) {
  const Outcome outcome = simulate({"--scans", "2"}, {.largest_file = 5000});
  EXPECT_EQ(outcome.exit_code, kFailed);
  expect_contains(last_line(outcome.err), {"cannot write", output_.c_str()});
  expect_nothing_left();
}

TEST_F(Simulate, APlaceThatTakesNoFilesIsRefused) {
  expect_failure(run({"simulate", "/proc/fmbym", "--scans", "2"}), kFailed, {"/proc/fmbym", "cannot write"});
}

TEST_F(Simulate, InterruptedLeavesNothing) {
  const auto interrupt = [this](pid_t program) {
    while (fs::is_empty(folder_.path())) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ::kill(program, SIGINT);
  };
  const Outcome outcome = simulate({"--scans", "2000"}, {.meanwhile = interrupt});
  EXPECT_EQ(outcome.exit_code, kInterrupted) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  expect_contains(last_line(outcome.err), {"interrupted", "nothing was written"});
  expect_nothing_left();
}

}  // namespace
}  // namespace fmbym::testing
