// The command line: help for those who ask, one line for those who mistype.
#include <gtest/gtest.h>

#include "cli/expectations.hpp"
#include "support/oxford_writer.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

TEST(Usage, HelpNamesEveryCommand) {
  const Outcome help = run({"--help"});
  expect_done(help);
  expect_contains(help.out, {"fmbym", "demo", "odometry", "match", "evaluate", "calibrate", "quantize", "simulate",
                             "bench", "info", "train", "bench-train", "--version"});
  EXPECT_EQ(help.err, "");
}

TEST(Usage, VersionIsANumber) {
  const Outcome version = run({"--version"});
  expect_done(version);
  EXPECT_EQ(version.out.find_first_not_of("0123456789.\n"), std::string::npos) << version.out;
  EXPECT_EQ(std::count(version.out.begin(), version.out.end(), '.'), 2) << version.out;
  EXPECT_EQ(version.err, "");
}

struct CommandHelp {
  std::string command;
  std::vector<std::string> mentions;
};
const std::vector<std::string> kMethodOptions = {"--method", "--preset", "--resolution", "--threads",
                                                 "--json"};
const std::vector<std::string> kSensorOptions = {"--sensor", "--range-resolution", "--range-offset",
                                                 "--azimuth-offset"};

void expect_help(const CommandHelp& expected) {
  const Outcome help = run({expected.command, "--help"});
  expect_done(help);
  EXPECT_EQ(help.err, "");
  for (const std::string& word : expected.mentions) expect_contains(help.out, {word});
}

TEST(Usage, EveryCommandExplainsItsOptions) {
  for (const std::string command : {"odometry", "match", "calibrate"}) {
    expect_help({command, kMethodOptions});
    expect_help({command, kSensorOptions});
  }
  for (const std::string command : {"odometry", "match"})
    expect_help({command, {"f-mbym", "mbym", "--model", "--precision", "--any-resolution"}});
  expect_help({"odometry", {"SEQUENCE", "--first", "--count", "--output", "--report", "--skip-bad"}});
  expect_help(
      {"calibrate", {"SEQUENCE", "--first", "--count", "--output", "--keep-range-offset", "--skip-bad"}});
  expect_help({"match", {"SCAN_A", "SCAN_B", "--picture"}});
  expect_help({"evaluate", {"--groundtruth", "--estimate", "--step", "--angle", "--report", "--json"}});
  expect_help({"quantize", {"MODEL", "--data", "--output", "--pairs", "--skip-bad", "--sensor", "--json"}});
  expect_help(
      {"bench",
       {"--methods", "--resolutions", "--precision", "--preset", "--seconds", "--threads", "--json"}});
  expect_help({"info", {"FILE", "--json"}});
  expect_help({"info", kSensorOptions});
}

TEST(Usage, WhatTheParserRefusesPointsToTheHelp) {
  const std::vector<Arguments> wrong = {
      {},
      {"fly"},
      {"--fly"},
      {"odometry"},
      {"odometry", "a", "--fly"},
      {"odometry", "a", "b"},
      {"odometry", "a", "--method"},
      {"odometry", "a", "--resolution", "many"},
      {"odometry", "a", "--resolution", "12.5"},
      {"odometry", "a", "--threads", "99999999999999999999"},
      {"odometry", "a", "--count", "some"},
      {"odometry", "a", "--range-resolution", "4cm"},
      {"match", "a"},
      {"evaluate", "--groundtruth", "a"},
      {"evaluate", "--groundtruth", "a", "--estimate", "b", "--step", "x"},
      {"calibrate"},
      {"calibrate", "a", "--range-offset", "far"},
      {"bench", "--seconds", "long"},
      {"info"},
  };
  for (const Arguments& arguments : wrong) {
    SCOPED_TRACE(::testing::PrintToString(arguments));
    expect_failure(run(arguments), kWrongUsage, {"--help"});
  }
}

TEST(Usage, TheParserNamesWhatItRefuses) {
  expect_failure(run({"odometry", "a", "--fly"}), kWrongUsage, {"--fly", "see fmbym odometry --help"});
  expect_failure(run({"odometry", "a", "--resolution", "many"}), kWrongUsage, {"--resolution", "many"});
  expect_failure(run({"match", "a"}), kWrongUsage, {"scan_b", "see fmbym match --help"});
}

TEST(Usage, TheParserNamesTheCommandItDoesNotKnow) {
  expect_failure(run({"fly"}), kWrongUsage, {"fly"});
  expect_failure(run({"--fly"}), kWrongUsage, {"--fly"});
}

// These are found before the sequence is opened, so that there need not be one.
TEST(Usage, NamesTheChoices) {
  expect_failure(run({"odometry", "a", "--method", "icp"}), kFailed,
                 {"--method", "icp", "raw", "f-raw", "mbym", "f-mbym"});
  expect_failure(run({"odometry", "a", "--preset", "best"}), kFailed,
                 {"--preset", "best", "paper", "default"});
  expect_failure(run({"match", "a", "b", "--method", "icp"}), kFailed, {"--method", "icp", "raw", "f-raw"});
  expect_failure(run({"bench", "--preset", "best"}), kFailed, {"--preset", "best", "paper", "default"});
}

TEST(Usage, NumbersOutOfRangeSayTheRange) {
  for (const char* resolution : {"254", "0", "-5", "13", "4097"})
    expect_failure(run({"odometry", "a", "--resolution", resolution}), kFailed,
                   {resolution, "odd", "15 to 4095"});
  for (const char* threads : {"0", "-1", "257"})
    expect_failure(run({"odometry", "a", "--threads", threads}), kFailed, {"--threads", threads, "1 to 256"});
}

// At 3.2 m a pixel nothing is left of the band-pass.
TEST(Usage, AResolutionTooCoarseForTheMethodSaysSo) {
  const TemporaryFolder folder;
  const auto sequence = write_oxford_sequence(folder.path(), 2);
  expect_failure(run({"odometry", sequence.folder(), "--output", folder / "out", "--resolution", "31"}),
                 kFailed, {"--resolution 31", "; "});
  expect_failure(run({"bench", "--seconds", "0.05", "--methods", "f-raw", "--resolutions", "63,31"}), kFailed,
                 {"31", "; "});
}

class SensorOptions : public ::testing::Test {
 protected:
  void refuse(const char* option, const char* value, const char* expected) {
    expect_failure(run({"info", sequence_.folder(), option, value}), kFailed, {option, expected});
  }

  TemporaryFolder folder_;
  OxfordSequence sequence_ = write_oxford_sequence(folder_.path(), 2);
};

TEST_F(SensorOptions, AreCheckedForSense) {
  for (const char* metres : {"0", "-0.04", "11", "nan"}) refuse("--range-resolution", metres, "above 0");
  for (const char* metres : {"101", "-101", "nan", "inf"}) refuse("--range-offset", metres, "-100 to 100");
  for (const char* radians : {"7", "-7", "nan"}) refuse("--azimuth-offset", radians, "a full turn");
}

class ScansToUse : public ::testing::Test {
 protected:
  void refuse(const Arguments& choice) {
    SCOPED_TRACE(::testing::PrintToString(choice));
    Arguments arguments = {"odometry", sequence_.folder(), "--output", folder_ / "out"};
    arguments.insert(arguments.end(), choice.begin(), choice.end());
    expect_failure(run(arguments), kFailed,
                   {sequence_.folder().c_str(), "at least two scans", choice[0], choice[1]});
    expect_no_files(folder_ / "out");
  }

  TemporaryFolder folder_;
  OxfordSequence sequence_ = write_oxford_sequence(folder_ / "sequence", 3);
};

TEST_F(ScansToUse, AreTwoAtLeast) {
  refuse({"--count", "1"});
  refuse({"--count", "0"});
  refuse({"--first", "2"});
  refuse({"--first", "3"});
  refuse({"--first", "1000"});
  refuse({"--first", "1", "--count", "1"});
}

TEST_F(ScansToUse, AreNotCountedPastTheLargestNumber) {
  refuse({"--first", "18446744073709551615"});
}

TEST_F(ScansToUse, AreNeverNegative) {
  for (const char* option : {"--first", "--count"}) {
    const Outcome outcome = run({"odometry", sequence_.folder(), "--output", folder_ / "out", option, "-1"});
    expect_failure(outcome, kWrongUsage, {option, "-1"});
  }
}

}  // namespace
}  // namespace fmbym::testing
