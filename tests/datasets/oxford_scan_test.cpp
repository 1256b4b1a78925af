#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

#include "fmbym/datasets/oxford.hpp"
#include "support/expect_error.hpp"
#include "support/oxford_writer.hpp"
#include "support/real_data.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym {
namespace {

using testing::encode_png;
using testing::error_of;
using testing::expect_message;
using testing::kScanStart_us;
using testing::make_oxford_scan;
using testing::OxfordScan;
using testing::real_data;
using testing::TemporaryFolder;

constexpr double kStep = 2 * std::numbers::pi / 5600;  // an encoder step [rad]
constexpr double kRounding = 1e-12;                    // a few operations on angles below 7 rad
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class OxfordScanFile : public ::testing::Test {
 protected:
  PolarScan read(const OxfordScan& scan, const CalibrationOverride& given = {}) {
    write_oxford_scan(file_, scan);
    return oxford::read_scan(file_, given);
  }
  std::string error_for(const OxfordScan& scan) {
    write_oxford_scan(file_, scan);
    return error_of([&] { oxford::read_scan(file_); });
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / fmt::format("{}.png", kScanStart_us);
};

void invalidate(OxfordScan& scan, std::size_t row) {
  scan.valid[row] = 0;
  scan.time_us[row] = -1;  // what such a row says is not to be trusted
  scan.encoder[row] = 65535;
  for (int bin = 0; bin < scan.bins; ++bin) scan.at(static_cast<int>(row), bin) = 255;
}

void expect_in_order(const PolarScan& scan) {
  for (std::size_t i = 1; i < scan.azimuth.size(); ++i) {
    EXPECT_GT(scan.azimuth[i], scan.azimuth[i - 1]) << i;
    EXPECT_GE(scan.azimuth_time_us[i], scan.azimuth_time_us[i - 1]) << i;
  }
  EXPECT_LT(scan.azimuth.back() - scan.azimuth.front(), 2 * std::numbers::pi);
}

void expect_between_neighbours(const PolarScan& scan, int row) {
  const std::uint8_t *before = scan.row(row - 1), *filled = scan.row(row), *after = scan.row(row + 1);
  for (int bin = 0; bin < scan.bins; ++bin) {
    EXPECT_GE(filled[bin], std::min(before[bin], after[bin]));
    EXPECT_LE(filled[bin], std::max(before[bin], after[bin]));
  }
}

TEST_F(OxfordScanFile, GivesBackWhatWasWritten) {
  const OxfordScan written = make_oxford_scan();
  const PolarScan scan = read(written, {.range_resolution = {}, .range_offset = -0.3, .azimuth_offset = 0.1});
  EXPECT_EQ(scan.timestamp_us, kScanStart_us);
  EXPECT_EQ(scan.bins, 432);
  EXPECT_EQ(scan.azimuths(), 40);
  EXPECT_EQ(scan.power, written.power);
  EXPECT_EQ(scan.azimuth_time_us, written.time_us);
  EXPECT_EQ(scan.valid, std::vector<std::uint8_t>(40, 1));
  EXPECT_DOUBLE_EQ(scan.range_offset, -0.3);
  for (std::size_t i = 0; i < 40; ++i)
    EXPECT_NEAR(scan.azimuth[i], written.encoder[i] * kStep + 0.1, kRounding);
}

TEST_F(OxfordScanFile, WriterAndReaderAreInverse) {
  const PolarScan scan = read(make_oxford_scan());
  const PolarScan again = read(testing::to_oxford(scan, 0.0103));
  EXPECT_EQ(again.azimuth, scan.azimuth);
  EXPECT_EQ(again.power, scan.power);
}

TEST_F(OxfordScanFile, AScanWithAnotherNameIsStampedWithItsFirstRow) {
  OxfordScan scan = make_oxford_scan();
  scan.time_us[0] = scan.time_us[1];
  file_ = folder_ / "front.png";
  EXPECT_EQ(read(scan).timestamp_us, scan.time_us[1]);
}

TEST_F(OxfordScanFile, ATurnMayBeginAnywhere) {
  OxfordScan scan = make_oxford_scan();
  for (int& encoder : scan.encoder) encoder = (encoder + 3000) % 5600;
  expect_in_order(read(scan));
}

TEST_F(OxfordScanFile, AnInvalidRowIsTheMeanOfItsNeighbours) {
  OxfordScan written = make_oxford_scan();
  invalidate(written, 7);
  const PolarScan scan = read(written);
  EXPECT_EQ(scan.valid[7], 0);
  EXPECT_EQ(scan.valid[6] + scan.valid[8], 2);
  expect_in_order(scan);
  EXPECT_NEAR(scan.azimuth[7], (scan.azimuth[6] + scan.azimuth[8]) / 2, kRounding);
  EXPECT_NEAR(static_cast<double>(2 * scan.azimuth_time_us[7]),
              static_cast<double>(scan.azimuth_time_us[6] + scan.azimuth_time_us[8]), 1.0);  // whole µs
  for (int bin = 0; bin < scan.bins; ++bin)
    EXPECT_NEAR(2 * scan.row(7)[bin], scan.row(6)[bin] + scan.row(8)[bin], 1);  // whole counts
}

// Power is 3 a row higher than in the row before, up to row 30 in bin 0, so linear filling restores it
// exactly.
TEST_F(OxfordScanFile, ARunOfInvalidRowsIsFilledLinearly) {
  OxfordScan written = make_oxford_scan();
  const OxfordScan truth = written;
  for (const std::size_t row : {10u, 11u, 12u, 13u}) invalidate(written, row);
  const PolarScan scan = read(written);
  expect_in_order(scan);
  for (int row = 10; row < 14; ++row) {
    EXPECT_EQ(scan.row(row)[0], 3 * row);
    EXPECT_NEAR(scan.azimuth[static_cast<std::size_t>(row)],
                truth.encoder[static_cast<std::size_t>(row)] * kStep + 0.0103, kRounding);
  }
}

// The row before the first is the last one: the turn closes.
TEST_F(OxfordScanFile, InvalidRowsAtTheEndsAreFilledAroundTheCircle) {
  OxfordScan written = make_oxford_scan();
  const OxfordScan truth = written;
  for (const std::size_t row : {0u, 1u, 38u, 39u}) invalidate(written, row);
  for (int bin = 0; bin < written.bins; ++bin) written.at(2, bin) = 100, written.at(37, bin) = 50;
  const PolarScan scan = read(written);
  expect_in_order(scan);
  EXPECT_EQ(scan.row(38)[5], 60);
  EXPECT_EQ(scan.row(39)[5], 70);
  EXPECT_EQ(scan.row(0)[5], 80);
  EXPECT_EQ(scan.row(1)[5], 90);
  for (const std::size_t row : {0u, 1u, 38u, 39u}) {
    EXPECT_EQ(scan.azimuth_time_us[row], truth.time_us[row]);
    EXPECT_NEAR(scan.azimuth[row], truth.encoder[row] * kStep + 0.0103, kRounding);
  }
}

TEST_F(OxfordScanFile, TooFewColumnsOrRows) {
  write_file(file_, encode_png(40, 11, std::vector<std::uint8_t>(40 * 11)));
  expect_message(error_of([&] { oxford::read_scan(file_); }), file_,
                 {"at least one range bin", "found 11 columns"});
  expect_message(error_for(make_oxford_scan(kScanStart_us, 7)), file_, {"at least 8 azimuths", "found 7"});
}

TEST_F(OxfordScanFile, NoValidRow) {
  OxfordScan scan = make_oxford_scan();
  for (std::size_t row = 0; row < 40; ++row) invalidate(scan, row);
  expect_message(error_for(scan), file_, {"at least 8 valid rows", "byte 10 is 255", "found 0 of 40"});
}

TEST_F(OxfordScanFile, TimesGoForwardsOrStay) {
  OxfordScan scan = make_oxford_scan();
  scan.time_us[6] = scan.time_us[5];
  EXPECT_EQ(read(scan).azimuth_time_us[6], scan.time_us[5]);
  scan.time_us[6] = scan.time_us[5] - 1;
  expect_message(error_for(scan), file_, {"rows out of order", "row 6", "row 5"});
}

TEST_F(OxfordScanFile, TimesAreMicroseconds) {
  OxfordScan scan = make_oxford_scan();
  scan.time_us[0] = -5;
  expect_message(error_for(scan), file_, {"row 0", "time in microseconds", "found -5"});
  scan = make_oxford_scan();
  for (auto& time : scan.time_us) time *= 1000;
  expect_message(error_for(scan), file_, {"row 0", "time in microseconds"});
  scan = make_oxford_scan();
  scan.time_us[39] += 61'000'000;
  expect_message(error_for(scan), file_, {"within 60 s", "found 61 s"});
}

TEST_F(OxfordScanFile, EncodersAreBelowATurn) {
  OxfordScan scan = make_oxford_scan();
  scan.encoder[3] = 5600;
  expect_message(error_for(scan), file_, {"row 3", "below 5600", "found 5600"});
}

TEST_F(OxfordScanFile, EncodersGoRoundOnceClockwise) {
  OxfordScan scan = make_oxford_scan();
  std::swap(scan.encoder[10], scan.encoder[11]);
  expect_message(error_for(scan), file_, {"rows out of order", "once clockwise", "found 1."});
  scan = make_oxford_scan();
  scan.encoder[10] = scan.encoder[9];
  expect_message(error_for(scan), file_, {"rows out of order", "rows 9 and 10", "same encoder value"});
  scan = make_oxford_scan();
  std::reverse(scan.encoder.begin(), scan.encoder.end());
  expect_message(error_for(scan), file_, {"rows out of order"});
}

TEST(OxfordCalibration, KnowsTheWidthsOfTheRadar) {
  EXPECT_DOUBLE_EQ(oxford::calibration_for(3768, {}, "a.png").range_resolution, 0.0438);
  EXPECT_DOUBLE_EQ(oxford::calibration_for(432, {}, "a.png").range_resolution, 4 * 0.0438);
  EXPECT_DOUBLE_EQ(oxford::calibration_for(432, {}, "a.png").range_offset, 0);
  EXPECT_DOUBLE_EQ(oxford::calibration_for(432, {}, "a.png").azimuth_offset, 0.0103);
}

TEST(OxfordCalibration, TheUsersValuesGoFirst) {
  const SensorCalibration given = oxford::calibration_for(3768, {0.06, -0.31, -0.2}, "a.png");
  EXPECT_EQ(given.range_resolution, 0.06);
  EXPECT_EQ(given.range_offset, -0.31);
  EXPECT_EQ(given.azimuth_offset, -0.2);
  EXPECT_EQ(oxford::calibration_for(3360, {0.0595, {}, {}}, "a.png").range_resolution, 0.0595);
}

TEST(OxfordCalibration, UnknownWidth) {
  EXPECT_EQ(error_of([] { oxford::calibration_for(3360, {}, "a.png"); }),
            "a.png: 3360 range bins is no width of the Oxford radar (3768, or 432 for reduced scans); "
            "give --range-resolution METRES");
}

TEST(OxfordCalibration, RefusesAbsurdValues) {
  const auto error_for = [](const CalibrationOverride& given) {
    return error_of([&] { oxford::calibration_for(3768, given, "a.png"); });
  };
  for (const double value : {0.0, -1.0, 10.5, kInfinity, kNaN})
    expect_message(error_for({value, {}, {}}), "--range-resolution", {fmt::format("found {}", value)});
  for (const double value : {-101.0, 101.0, -kInfinity, kNaN})
    expect_message(error_for({{}, value, {}}), "--range-offset", {fmt::format("found {}", value)});
  for (const double value : {-7.0, 7.0, kInfinity, kNaN})
    expect_message(error_for({{}, {}, value}), "--azimuth-offset", {fmt::format("found {}", value)});
}

TEST(RealOxfordScan, FullSize) {
  FMBYM_NEEDS_REAL_DATA("oxford-tiny");
  const PolarScan scan = oxford::read_scan(real_data("oxford-tiny/radar/1547131046353776.png"));
  EXPECT_EQ(scan.timestamp_us, 1547131046353776);
  EXPECT_EQ(scan.azimuths(), 400);
  EXPECT_EQ(scan.bins, 3768);
  EXPECT_NEAR(scan.azimuth[0], 13 * kStep + 0.0103, kRounding);
  EXPECT_NEAR(scan.azimuth[399], (13 + 399 * 14) * kStep + 0.0103, kRounding);
  EXPECT_EQ(scan.azimuth_time_us[0], scan.timestamp_us);
  expect_in_order(scan);
}

TEST(RealOxfordScan, InvalidRowLiesBetweenItsNeighbours) {
  FMBYM_NEEDS_REAL_DATA("oxford-reduced/train-a");
  const auto sequence = oxford::open(real_data("oxford-reduced/train-a"), {});
  const PolarScan scan = sequence->read(23);
  EXPECT_EQ(std::count(scan.valid.begin(), scan.valid.end(), 0), 1);
  EXPECT_EQ(scan.valid[382], 0);
  expect_between_neighbours(scan, 382);
  expect_in_order(scan);
}

}  // namespace
}  // namespace fmbym
