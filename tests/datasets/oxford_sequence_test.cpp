#include <gtest/gtest.h>

#include "fmbym/datasets/oxford.hpp"
#include "support/expect_error.hpp"
#include "support/oxford_writer.hpp"
#include "support/real_data.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym {
namespace {

namespace fs = std::filesystem;
using testing::error_of;
using testing::expect_message;
using testing::kScanPeriod_us;
using testing::kScanStart_us;
using testing::make_oxford_scan;
using testing::OxfordSequence;
using testing::real_data;
using testing::TemporaryFolder;
using testing::write_oxford_sequence;
using Remarks = std::vector<std::string>;

std::int64_t time_of(int scan) {
  return kScanStart_us + scan * kScanPeriod_us;
}

class OxfordFolder : public ::testing::Test {
 protected:
  std::unique_ptr<Dataset> open(const CalibrationOverride& given = {}) {
    return oxford::open(folder_.path(), given);
  }
  std::string open_error() {
    return error_of([&] { open(); });
  }

  TemporaryFolder folder_;
};

TEST_F(OxfordFolder, ListsItsScansInOrder) {
  write_oxford_sequence(folder_.path(), 4);
  const auto sequence = open();
  EXPECT_EQ(sequence->format(), "oxford");
  ASSERT_EQ(sequence->size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(sequence->timestamp_us(i), time_of(static_cast<int>(i)));
    EXPECT_EQ(sequence->read(i).timestamp_us, sequence->timestamp_us(i));
    EXPECT_EQ(sequence->file(i).stem(), std::to_string(sequence->timestamp_us(i)));
  }
  EXPECT_DOUBLE_EQ(sequence->calibration().range_resolution, 4 * 0.0438);
  EXPECT_TRUE(sequence->ground_truth().empty());
  EXPECT_EQ(sequence->remarks(), Remarks{});
}

TEST_F(OxfordFolder, WithoutAListTheNamesAreTheList) {
  const auto written = write_oxford_sequence(folder_.path(), 3);
  fs::remove(written.timestamps());
  write_file(folder_ / "radar/notes.txt", "");
  write_file(folder_ / "radar/overview.png", "");
  write_file(folder_ / "radar/-5.png", "");
  const auto sequence = open();
  ASSERT_EQ(sequence->size(), 3u);
  EXPECT_EQ(sequence->timestamp_us(0), time_of(0));
  EXPECT_EQ(sequence->timestamp_us(2), time_of(2));
  EXPECT_EQ(sequence->remarks(), Remarks{});
}

TEST_F(OxfordFolder, RemarksOnScansThatAreMissing) {
  const auto written = write_oxford_sequence(folder_.path(), 5);
  fs::remove(written.file(time_of(1)));
  fs::remove(written.file(time_of(3)));
  const auto sequence = open();
  EXPECT_EQ(sequence->size(), 3u);
  EXPECT_EQ(sequence->timestamp_us(1), time_of(2));
  EXPECT_EQ(sequence->remarks(),
            Remarks{fmt::format("2 scans listed in radar.timestamps are missing, first {}", time_of(1))});
}

TEST_F(OxfordFolder, RemarksOnScansThatAreLeftOut) {
  const auto written = write_oxford_sequence(folder_.path(), 4);
  write_file(written.timestamps(),
             fmt::format("{} 1\r\n{} 0\r\n{} 1\r\n\r\n\n", time_of(0), time_of(1), time_of(2)));
  const auto sequence = open();
  EXPECT_EQ(sequence->size(), 2u);
  EXPECT_EQ(sequence->remarks(),
            (Remarks{fmt::format("1 scan listed in radar.timestamps is marked invalid and left out, first {}",
                                 time_of(1)),
                     fmt::format("1 scan in radar/ is not listed in radar.timestamps and left out, first {}",
                                 time_of(3))}));
}

TEST_F(OxfordFolder, TimesOfTheListIncrease) {
  const auto written = write_oxford_sequence(folder_.path(), 3);
  written.write_timestamps({time_of(0), time_of(2), time_of(1)});
  expect_message(open_error(), written.timestamps(), {"line 3", std::to_string(time_of(1)), "sort"});
  written.write_timestamps({time_of(0), time_of(0)});
  expect_message(open_error(), written.timestamps(), {"line 2"});
}

TEST_F(OxfordFolder, MalformedLinesAreNamed) {
  const auto written = write_oxford_sequence(folder_.path(), 1);
  for (const char* bad :
       {"x", "12", "12 2", "12 1 1", "-12 1", "12.5 1", "\x01\x02", "99999999999999999999 1", ""}) {
    write_file(written.timestamps(), fmt::format("5 1\n{}\n{} 1\n", bad, time_of(0)));
    expect_message(open_error(), written.timestamps(), {"line 2", "<microseconds> <0 or 1>"});
  }
}

TEST_F(OxfordFolder, ListWithoutScans) {
  const auto written = write_oxford_sequence(folder_.path(), 1);
  write_file(written.timestamps(), "");
  expect_message(open_error(), written.timestamps(), {"found none", "remove the file"});
  written.write_timestamps({5, 6});
  expect_message(open_error(), written.timestamps(), {"found none"});
}

TEST_F(OxfordFolder, NoSequenceAtAll) {
  const fs::path missing = folder_ / "nowhere";
  expect_message(error_of([&] { oxford::open(missing, {}); }), missing, {"found nothing", "check the path"});
  write_file(folder_ / "file", "");
  expect_message(error_of([&] { oxford::open(folder_ / "file", {}); }), folder_ / "file",
                 {"found a file", "radar/"});
  expect_message(open_error(), folder_.path(), {"expected a folder radar/", "found none"});
  fs::create_directory(folder_ / "radar");
  expect_message(open_error(), folder_ / "radar", {"<microseconds>.png", "found none"});
}

TEST_F(OxfordFolder, NothingIsDecodedWhenItIsOpened) {
  const auto written = write_oxford_sequence(folder_.path(), 3);
  write_file(written.file(time_of(1)), "no scan");
  const auto sequence = open();
  ASSERT_EQ(sequence->size(), 3u);
  EXPECT_EQ(sequence->read(2).bins, 432);
  expect_message(error_of([&] { sequence->read(1); }), written.file(time_of(1)), {"no PNG at all"});
}

TEST_F(OxfordFolder, ADamagedFirstScanIsTheReadersAffair) {
  const auto written = write_oxford_sequence(folder_.path(), 2);
  write_file(written.file(time_of(0)), "");
  const auto sequence = open();
  EXPECT_DOUBLE_EQ(sequence->calibration().range_resolution, 4 * 0.0438);
  EXPECT_EQ(sequence->read(1).bins, 432);
  expect_message(error_of([&] { sequence->read(0); }), written.file(time_of(0)), {"empty file"});
}

TEST_F(OxfordFolder, OnlyDamagedScansNeedTheRangeResolution) {
  const auto written = write_oxford_sequence(folder_.path(), 2);
  for (const int scan : {0, 1}) write_file(written.file(time_of(scan)), "");
  expect_message(open_error(), written.file(time_of(0)), {"empty file"});
  EXPECT_EQ(open({0.05, {}, {}})->calibration().range_resolution, 0.05);
}

TEST_F(OxfordFolder, AllScansAreAsWideAsTheFirst) {
  const auto written = write_oxford_sequence(folder_.path(), 2);
  written.write_scan(time_of(1), make_oxford_scan(time_of(1), 40, 300));
  const auto sequence = open();
  expect_message(error_of([&] { sequence->read(1); }), written.file(time_of(1)),
                 {"expected 432 range bins as in the first scan", "found 300"});
}

TEST_F(OxfordFolder, OtherRadarsNeedTheirOwnCalibration) {
  const auto written = write_oxford_sequence(folder_.path(), 1, 40, 300);
  expect_message(open_error(), written.file(time_of(0)), {"300 range bins", "--range-resolution"});
  EXPECT_EQ(open({0.0595, {}, {}})->calibration().azimuth_offset, 0);  // Oxford's is of no use to them
  EXPECT_EQ(open({0.0595, {}, 0.02})->calibration().azimuth_offset, 0.02);
  expect_message(error_of([&] { open({-1.0, {}, {}}); }), "--range-resolution", {"found -1"});
}

TEST(RealOxfordSequence, FullSize) {
  FMBYM_NEEDS_REAL_DATA("oxford-tiny");
  const auto sequence = oxford::open(real_data("oxford-tiny"), {});
  EXPECT_EQ(sequence->size(), 11u);
  EXPECT_DOUBLE_EQ(sequence->calibration().range_resolution, 0.0438);
  EXPECT_EQ(sequence->remarks(), Remarks{});
  EXPECT_TRUE(time_gaps(*sequence).empty());
  for (std::size_t i = 0; i < sequence->size(); ++i) EXPECT_EQ(sequence->read(i).bins, 3768);
}

TEST(RealOxfordSequence, Reduced) {
  FMBYM_NEEDS_REAL_DATA("oxford-reduced/val");
  const auto sequence = oxford::open(real_data("oxford-reduced/val"), {});
  EXPECT_EQ(sequence->size(), 300u);
  EXPECT_DOUBLE_EQ(sequence->calibration().range_resolution, 0.1752);
  for (std::size_t i = 0; i < sequence->size(); ++i) {
    const PolarScan scan = sequence->read(i);
    EXPECT_EQ(scan.bins, 432);
    EXPECT_EQ(scan.azimuths(), 400);
  }
}

}  // namespace
}  // namespace fmbym
