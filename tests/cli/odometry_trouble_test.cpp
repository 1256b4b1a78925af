// Sequences as they really are: scans that are damaged, missing, blank or patchy.
#include <gtest/gtest.h>

#include "cli/results.hpp"
#include "support/drive.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

constexpr int kTroubled = 4;  // the scan that something is wrong with

class OdometryTrouble : public ::testing::Test {
 protected:
  Outcome odometry(const Arguments& more = {}, const Surroundings& surroundings = {}) {
    Arguments arguments = {"odometry", sequence_.folder(), "--output", output_, "--resolution", "127"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, surroundings);
  }
  std::filesystem::path troubled() const { return sequence_.file(Drive::time_us(kTroubled)); }
  std::vector<std::int64_t> times_without_troubled() const {
    auto times = drive_.times_us();
    times.erase(times.begin() + kTroubled);
    return times;
  }
  // Motion across the gap is two steps at once, and the drive goes on where it should.
  void expect_bridged(const Results& found) const {
    EXPECT_EQ(found.times_us(), times_without_troubled());
    expect_near(found.pose(kTroubled), drive_.T_first(kTroubled + 1), 0.2, 0.02);
    expect_near(found.pose(found.tum.size() - 1), drive_.T_first(drive_.scans - 1), 0.3, 0.02);
    EXPECT_LT(found.summary["ate_m"], 0.2);
  }

  TemporaryFolder folder_;
  Drive drive_{.scans = 8};
  OxfordSequence sequence_ = write_drive(folder_ / "sequence", drive_);
  std::filesystem::path output_ = folder_ / "out";
};

TEST_F(OdometryTrouble, ADamagedScanStopsTheRun) {
  write_file(troubled(), read_file(troubled()).substr(0, 5000));
  for (const char* threads : {"1", "2"}) {
    const Outcome outcome = odometry({"--threads", threads});
    EXPECT_EQ(outcome.exit_code, kFailed);
    EXPECT_EQ(outcome.out, "");
    const std::string message = last_line(outcome.err);
    EXPECT_TRUE(message.starts_with("fmbym: " + troubled().string())) << message;
    expect_contains(message, {"cut off", "--skip-bad"});
    expect_no_files(output_);
  }
}

TEST_F(OdometryTrouble, SkipBadLeavesADamagedScanOut) {
  write_file(troubled(), "");
  for (const char* threads : {"1", "2"}) {
    const Outcome outcome = odometry({"--skip-bad", "--json", "--threads", threads});
    expect_done(outcome);
    expect_contains(outcome.err, {"skipped: " + troubled().string()});
    EXPECT_EQ(outcome.json()["skipped"], 1);
    EXPECT_EQ(outcome.json()["scans"], drive_.scans - 1);
    expect_bridged(Results(output_));
  }
}

TEST_F(OdometryTrouble, SkipBadLeavesADamagedFirstScanOut) {
  write_file(sequence_.file(Drive::time_us(0)), "");
  const Outcome outcome = odometry({"--skip-bad"});
  expect_done(outcome);
  const Results found(output_);
  EXPECT_EQ(found.tum.time_ns.front(), Drive::time_us(1) * 1000);
  expect_near(found.pose(0), {}, 0, 0);
}

TEST_F(OdometryTrouble, SkipBadWithOneGoodScanIsAnError) {
  for (int i = 1; i < drive_.scans; ++i) write_file(sequence_.file(Drive::time_us(i)), "");
  const Outcome outcome = odometry({"--skip-bad"});
  EXPECT_EQ(outcome.exit_code, kFailed);
  EXPECT_EQ(outcome.out, "");
  expect_contains(last_line(outcome.err), {"fmbym: " + sequence_.folder().string(), "1 of 8 scans"});
  expect_no_files(output_);
}

TEST_F(OdometryTrouble, AMissingScanIsNotedAndBridged) {
  std::filesystem::remove(troubled());
  const Outcome outcome = odometry({"--json"});
  expect_done(outcome);
  expect_contains(outcome.err, {"note: 1 scan listed in radar.timestamps is missing, first " +
                                    std::to_string(Drive::time_us(kTroubled)),
                                "note: 0.50 s without a scan before " +
                                    std::to_string(Drive::time_us(kTroubled + 1)) + ".png"});
  EXPECT_EQ(outcome.json()["gaps"], 1);
  EXPECT_EQ(outcome.json()["skipped"], 0);
  expect_bridged(Results(output_));
}

TEST_F(OdometryTrouble, AGapBeforeTheChosenScansIsNobodysBusiness) {
  std::filesystem::remove(troubled());
  const Outcome outcome = odometry({"--json", "--first", std::to_string(kTroubled)});
  expect_done(outcome);
  EXPECT_EQ(outcome.json()["gaps"], 0);
  EXPECT_EQ(outcome.err.find("without a scan"), std::string::npos) << outcome.err;
}

TEST_F(OdometryTrouble, InvalidRowsAreCountedAndFilled) {
  OxfordScan scan = scan_of(drive_, kTroubled);
  for (int row = 100; row < 107; ++row) {
    scan.valid[static_cast<std::size_t>(row)] = 0;
    for (int bin = 0; bin < scan.bins; ++bin) scan.at(row, bin) = 255;
  }
  sequence_.write_scan(Drive::time_us(kTroubled), scan);
  const Outcome outcome = odometry({"--json"});
  expect_done(outcome);
  EXPECT_EQ(outcome.json()["filled_rows"], 7);
  expect_near(Results(output_).pose(kTroubled), drive_.T_first(kTroubled), 0.2, 0.02);
}

TEST_F(OdometryTrouble, ABlankScanIsBridgedAndTheNextOneRecovers) {
  OxfordScan blank = scan_of(drive_, kTroubled);
  std::fill(blank.power.begin(), blank.power.end(), std::uint8_t{0});
  sequence_.write_scan(Drive::time_us(kTroubled), blank);
  for (const char* method : {"f-raw", "raw"}) {
    SCOPED_TRACE(method);
    const Outcome outcome = odometry({"--method", method});
    expect_done(outcome);
    expect_contains(outcome.out, {"1 scans were not matched and bridged"});
    const auto name = [&](int scan) { return sequence_.file(Drive::time_us(scan)).filename().string(); };
    expect_contains(outcome.err, {"from " + name(kTroubled), "recovered at " + name(kTroubled + 1)});
    const Results found(output_);
    EXPECT_EQ(found.summary["bridged"], 1);
    EXPECT_EQ(found.summary["recovered"], 1);
    for (int i = 1; i < drive_.scans; ++i) {
      const CsvRow& row = found.increments[static_cast<std::size_t>(i - 1)];
      EXPECT_EQ(row.at("reliable"), i == kTroubled ? "0" : "1") << i;
      EXPECT_EQ(row.at("bridged"), i == kTroubled ? "1" : "0") << i;
      EXPECT_EQ(number(row, "cov_xx") > 0.05, i == kTroubled) << i;
      expect_near(found.pose(static_cast<std::size_t>(i)), drive_.T_first(i), 0.3, 0.03);
    }
    for (const char* file : kResultFiles) expect_no_nan(read_file(output_ / file));
  }
}

TEST_F(OdometryTrouble, ABlankScanMakesTwoUnreliableIncrementsInThePaperPreset) {
  OxfordScan blank = scan_of(drive_, kTroubled);
  std::fill(blank.power.begin(), blank.power.end(), std::uint8_t{0});
  sequence_.write_scan(Drive::time_us(kTroubled), blank);
  for (const char* method : {"f-raw", "raw"}) {
    SCOPED_TRACE(method);
    const Outcome outcome = odometry({"--method", method, "--preset", "paper"});
    expect_done(outcome);
    expect_contains(outcome.out, {"2 increments are unreliable"});
    const Results found(output_);
    EXPECT_EQ(found.summary["unreliable"], 2);
    for (int i = 1; i < drive_.scans; ++i) {
      const CsvRow& row = found.increments[static_cast<std::size_t>(i - 1)];
      const bool beside_blank = i == kTroubled || i == kTroubled + 1;
      EXPECT_EQ(row.at("reliable"), beside_blank ? "0" : "1") << i;
      EXPECT_EQ(number(row, "cov_xx") > 100, beside_blank) << i;  // 10 m and more
      EXPECT_EQ(number(row, "cov_yy") > 100, beside_blank) << i;
    }
    for (const char* file : kResultFiles) expect_no_nan(read_file(output_ / file));
  }
}

TEST_F(OdometryTrouble, NothingButBlankScansIsNoMotionAndNoneOfItReliable) {
  for (int i = 0; i < drive_.scans; ++i) {
    OxfordScan blank = make_oxford_scan(Drive::time_us(i));
    std::fill(blank.power.begin(), blank.power.end(), std::uint8_t{0});
    sequence_.write_scan(Drive::time_us(i), blank);
  }
  const Outcome outcome = odometry({"--json"});
  expect_done(outcome);
  EXPECT_EQ(outcome.json()["unreliable"], drive_.scans - 1);
  for (const char* file : kResultFiles) expect_no_nan(read_file(output_ / file));
}

TEST_F(OdometryTrouble, ScansLeftOutOfTheListAreNoted) {
  auto times = drive_.times_us();
  times.pop_back();
  sequence_.write_timestamps(times);
  const Outcome outcome = odometry({"--json"});
  expect_done(outcome);
  expect_contains(outcome.err, {"note: 1 scan in radar/ is not listed", "note: "});
  EXPECT_EQ(outcome.json()["scans"], drive_.scans - 1);
}

TEST_F(OdometryTrouble, GroundTruthWithAHoleScoresWhatItCovers) {
  std::vector<OxfordIncrement> truth;
  for (int i = 1; i < drive_.scans; ++i)
    if (i != kTroubled) truth.push_back({Drive::time_us(i - 1), Drive::time_us(i), drive_.T_prev_curr()});
  sequence_.write_ground_truth(truth);
  const Outcome outcome = odometry({"--json"});
  expect_done(outcome);
  expect_contains(outcome.err, {"ground truth is interrupted", "ground truth for 4 of 8 scans"});
  EXPECT_LT(outcome.json()["ate_m"], 0.2);
}

}  // namespace
}  // namespace fmbym::testing
