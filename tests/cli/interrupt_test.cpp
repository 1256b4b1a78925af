// Long runs: what is shown meanwhile, and what Ctrl-C leaves.
#include <gtest/gtest.h>
#include <signal.h>

#include "cli/gate.hpp"
#include "cli/results.hpp"
#include "support/drive.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

class LongRun : public ::testing::Test {
 protected:
  Outcome odometry(const Surroundings& surroundings, const Arguments& more = {}) {
    Arguments arguments = {"odometry", sequence_.folder(), "--output", output_, "--resolution",
                           "127",      "--threads",        "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, surroundings);
  }
  Outcome interrupted_at(int scan, int signal, const Arguments& more = {}) {
    const Gate gate(sequence_.file(Drive::time_us(scan)));
    const auto interrupt = [&](pid_t program) { gate.open([&] { ::kill(program, signal); }); };
    return odometry({.meanwhile = interrupt}, more);
  }

  TemporaryFolder folder_;
  Drive drive_{.scans = 12, .azimuths = 100};
  OxfordSequence sequence_ = write_drive(folder_ / "sequence", drive_);
  std::filesystem::path output_ = folder_ / "out";
};

TEST_F(LongRun, InterruptedKeepsWhatThereIs) {
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove_all(output_);
    sequence_.write_scan(Drive::time_us(4), scan_of(drive_, 4));  // in the place of the former gate
    const Outcome outcome = interrupted_at(4, signal);
    EXPECT_EQ(outcome.exit_code, kInterrupted);
    expect_contains(last_line(outcome.err), {"interrupted", "first 5 of 12 scans"});
    const Results found(output_);
    EXPECT_EQ(found.summary["interrupted"], true);
    EXPECT_EQ(found.summary["scans"], 5);
    EXPECT_EQ(found.kitti.size(), 5u);
    EXPECT_EQ(found.increments.size(), 4u);
    expect_near(found.pose(4), drive_.T_first(4), 0.2, 0.03);
    EXPECT_EQ(found.times_us().back(), Drive::time_us(4));
  }
}

// One scan is no trajectory; but the user should not be told that the scans were at fault. The damaged scan
// keeps the gate from being opened for its header already.
TEST_F(LongRun, InterruptedBeforeTheFirstMotionSaysSo) {
  const std::filesystem::path first = sequence_.file(Drive::time_us(0));
  write_file(first, read_file(first).substr(0, 5000));
  const Outcome outcome = interrupted_at(1, SIGINT, {"--skip-bad"});
  EXPECT_EQ(outcome.exit_code, kInterrupted);
  EXPECT_EQ(outcome.out, "");
  expect_contains(last_line(outcome.err), {"interrupted"});
  expect_no_files(output_);
}

TEST_F(LongRun, ProgressIsPlainLinesWhereThereIsNoTerminal) {
  const Outcome outcome = odometry({});
  expect_done(outcome);
  expect_contains(outcome.err, {"1/12 scans, ", "12/12 scans, "});
  EXPECT_EQ(outcome.err.find('\r'), std::string::npos);
  EXPECT_EQ(outcome.err.find('\033'), std::string::npos);
  EXPECT_EQ(outcome.err.find('['), std::string::npos);
}

TEST_F(LongRun, ProgressIsABarOnATerminal) {
  const Outcome outcome = odometry({.error_is_terminal = true});
  expect_done(outcome);
  expect_contains(outcome.err, {"\r\033[K[", "] 1/12 scans", "[##############################] 12/12 scans"});
  EXPECT_TRUE(outcome.err.ends_with("\r\033[K")) << "the bar stays";
  EXPECT_EQ(outcome.err.find('\n'), std::string::npos) << outcome.err;
}

TEST_F(LongRun, AnErrorOnATerminalStandsAlone) {
  write_file(sequence_.file(Drive::time_us(3)), "");
  const Outcome outcome = odometry({.error_is_terminal = true});
  EXPECT_EQ(outcome.exit_code, kFailed);
  expect_contains(outcome.err, {"\r\033[Kfmbym: " + sequence_.file(Drive::time_us(3)).string()});
}

TEST_F(LongRun, TwoHundredScansAreTenLines) {
  const std::filesystem::path folder = folder_ / "links";
  std::filesystem::create_directories(folder / "radar");
  for (int i = 0; i < 200; ++i)
    std::filesystem::create_hard_link(sequence_.file(Drive::time_us(0)),
                                      folder / "radar" / (std::to_string(Drive::time_us(i)) + ".png"));
  const Outcome outcome = run({"odometry", folder, "--output", output_, "--resolution", "63"});
  expect_done(outcome);
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 10) << outcome.err;
}

}  // namespace
}  // namespace fmbym::testing
