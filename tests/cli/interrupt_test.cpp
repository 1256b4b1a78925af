// Long runs: what is shown meanwhile, and what Ctrl-C leaves.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "cli/drive.hpp"
#include "cli/results.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

// In the place of a scan: the program waits there until it is let through, however fast the machine.
class Gate {
 public:
  explicit Gate(const std::filesystem::path& scan) : scan_(scan), png_(read_file(scan)) {
    std::filesystem::remove(scan);
    if (::mkfifo(scan.c_str(), 0644) != 0) throw std::runtime_error("mkfifo");
  }
  // Waits for the program to come, does something while it stands there, and hands it the scan.
  template <class Action>
  void open(const Action& while_it_waits) const {
    const int gate = wait_for_reader();
    while_it_waits();
    const auto written = ::write(gate, png_.data(), png_.size());
    ::close(gate);
    if (written != std::ssize(png_)) throw std::runtime_error("the program left the gate");
  }

 private:
  int wait_for_reader() const {
    for (int i = 0; i < 6000; ++i) {
      if (const int gate = ::open(scan_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC); gate >= 0) {
        ::fcntl(gate, F_SETFL, 0);  // from here on blocking
        return gate;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    throw std::runtime_error("the program never reads " + scan_.string());
  }

  std::filesystem::path scan_;
  std::string png_;
};

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
