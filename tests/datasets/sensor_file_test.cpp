#include "fmbym/datasets/sensor_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fmbym/core/file.hpp"
#include "fmbym/datasets/oxford.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym {
namespace {

using testing::error_of;
using testing::expect_message;
using testing::TemporaryFolder;

class SensorFileTest : public ::testing::Test {
 protected:
  CalibrationOverride read(const std::string& contents) {
    write_file(file_, contents);
    return read_sensor_file(file_);
  }
  void refuse(const std::string& contents, std::initializer_list<std::string_view> parts) {
    SCOPED_TRACE(contents);
    expect_message(error_of([&] { read(contents); }), file_, parts);
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "sensor.json";
};

TEST_F(SensorFileTest, WhatIsWrittenIsRead) {
  write_sensor_file(file_,
                    {{0.17512345678, 0.0004}, {-0.31, {}}, {0.0123, 0.0005}, 432, {"a", "b \xff"}, "me"});
  const CalibrationOverride sensor = read_sensor_file(file_);
  EXPECT_EQ(sensor.range_resolution, 0.17512345678);
  EXPECT_EQ(sensor.range_offset, -0.31);
  EXPECT_EQ(sensor.azimuth_offset, 0.0123);
  EXPECT_EQ(sensor.range_bins, 432);
  const std::string text = read_file(file_);
  EXPECT_NE(text.find("range_resolution_standard_error"), std::string::npos);
  EXPECT_EQ(text.find("range_offset_standard_error"), std::string::npos) << "it was not determined";
}

TEST_F(SensorFileTest, AnyMemberMayBeAbsentAndOthersAreIgnored) {
  const CalibrationOverride sensor = read(R"({"azimuth_offset": -1, "colour": "blue", "range_bins": 100})");
  EXPECT_EQ(sensor.azimuth_offset, -1);
  EXPECT_FALSE(sensor.range_resolution || sensor.range_offset);
  EXPECT_FALSE(sensor.range_bins) << "they are the range resolution's";
}

TEST_F(SensorFileTest, WhatIsNoJson) {
  for (const char* text : {"", "range_resolution: 0.04", "{\"range_resolution\": 0.04",
                           "{\"range_resolution\": NaN}", "{\"range_resolution\": 1e999}", "\x89PNG"})
    refuse(text, {"JSON", "fmbym calibrate"});
}

TEST_F(SensorFileTest, JsonOfSomethingElse) {
  refuse("[0.04]", {"JSON object", "found an array"});
  refuse("0.04", {"JSON object", "found 0.04"});
  refuse("{}", {"range_resolution, range_offset or azimuth_offset", "found none"});
  refuse(R"({"x": 1})", {"found none"});
}

TEST_F(SensorFileTest, WrongTypesAndValuesNameTheMember) {
  refuse(R"({"range_resolution": "0.04"})", {"range_resolution: expected metres", "found '0.04'"});
  refuse(R"({"range_resolution": null})", {"range_resolution", "found null"});
  refuse(R"({"azimuth_offset": [1]})", {"azimuth_offset: expected radians", "found an array"});
  refuse(R"({"azimuth_offset": true})", {"azimuth_offset", "found true"});
  for (const char* value : {"0", "-0.04", "11"})
    refuse(fmt::format(R"({{"range_resolution": {}}})", value), {"range_resolution", "above 0", value});
  refuse(R"({"range_offset": 101})", {"range_offset", "-100 to 100", "101"});
  refuse(R"({"azimuth_offset": 7})", {"azimuth_offset", "a full turn", "7"});
  refuse(R"({"azimuth_offset": 0, "azimuth_offset_standard_error": -1})",
         {"azimuth_offset_standard_error", "-1"});
  for (const char* bins : {"0", "1.5", "\"many\"", "1e12"})
    refuse(fmt::format(R"({{"range_resolution": 1, "range_bins": {}}})", bins),
           {"range_bins", "whole number"});
}

// The message about a value must not use up the stack, nor hold all of the file.
TEST_F(SensorFileTest, DeepNestingIsOnlyNamed) {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  refuse("{\"range_offset\": " + deep + "}", {"range_offset", "found an array"});
  refuse(deep, {"JSON object", "found an array"});
}

TEST_F(SensorFileTest, NoFile) {
  expect_message(error_of([&] { read_sensor_file(file_); }), file_, {"cannot read", "check the path"});
  expect_message(error_of([&] { read_sensor_file(folder_.path()); }), folder_.path(), {"not a folder"});
  const auto nowhere = folder_ / "no/such.json";
  expect_message(error_of([&] { write_sensor_file(nowhere, {}); }), nowhere, {"cannot write"});
}

TEST_F(SensorFileTest, IsForItsOwnWidthOnly) {
  const CalibrationOverride sensor = read(R"({"range_resolution": 0.175, "range_bins": 432})");
  EXPECT_EQ(oxford::calibration_for(432, sensor, "a.png").range_resolution, 0.175);
  expect_message(error_of([&] { oxford::calibration_for(3768, sensor, "a.png"); }), "a.png",
                 {"432 range bins", "found 3768", "--range-resolution"});
}

}  // namespace
}  // namespace fmbym
