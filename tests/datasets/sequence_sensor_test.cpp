// A sequence that brings its sensor's values as sensor.json.
#include <gtest/gtest.h>

#include "fmbym/core/file.hpp"
#include "fmbym/datasets/oxford.hpp"
#include "fmbym/datasets/sensor_file.hpp"
#include "support/expect_error.hpp"
#include "support/oxford_writer.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym {
namespace {

using testing::error_of;
using testing::expect_message;
using testing::kScanStart_us;
using testing::TemporaryFolder;

class SequenceSensor : public ::testing::Test {
 protected:
  SequenceSensor() {
    write_file(
        file_,
        R"({"range_resolution": 0.2, "range_offset": -0.3, "azimuth_offset": 0.05, "range_bins": 50})");
  }

  TemporaryFolder folder_;
  testing::OxfordSequence sequence_ = testing::write_oxford_sequence(folder_ / "sequence", 2, 40, 50);
  std::filesystem::path file_ = sequence_.folder() / "sensor.json";
};

TEST_F(SequenceSensor, IsUsed) {
  const SensorCalibration found = open_dataset(sequence_.folder())->calibration();
  EXPECT_EQ(found.range_resolution, 0.2);
  EXPECT_EQ(found.range_offset, -0.3);
  EXPECT_EQ(found.azimuth_offset, 0.05);
}

TEST_F(SequenceSensor, IsUsedForASingleScanToo) {
  const PolarScan scan = oxford::read_scan(sequence_.file(kScanStart_us));
  EXPECT_EQ(scan.range_resolution, 0.2);
  EXPECT_EQ(scan.range_offset, -0.3);
}

TEST_F(SequenceSensor, WhatTheUserSaysGoesBeforeIt) {
  CalibrationOverride given;
  given.range_resolution = 0.3;
  given.range_bins = 50;
  const SensorCalibration found = open_dataset(sequence_.folder(), given)->calibration();
  EXPECT_EQ(found.range_resolution, 0.3);
  EXPECT_EQ(found.range_offset, -0.3) << "what the user did not say";
  given = {};
  given.azimuth_offset = 0;
  EXPECT_EQ(open_dataset(sequence_.folder(), given)->calibration().azimuth_offset, 0);
}

TEST_F(SequenceSensor, ThatIsNoneIsRefused) {
  write_file(file_, "{}");
  expect_message(error_of([&] { open_dataset(sequence_.folder()); }), file_, {"range_resolution"});
}

TEST_F(SequenceSensor, OfAnotherWidthIsRefused) {
  write_file(file_, R"({"range_resolution": 0.2, "range_bins": 51})");
  expect_message(error_of([&] { open_dataset(sequence_.folder()); }), sequence_.file(kScanStart_us),
                 {"51 range bins"});
}

}  // namespace
}  // namespace fmbym
