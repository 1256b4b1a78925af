#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

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
using testing::OxfordIncrement;
using testing::OxfordSequence;
using testing::real_data;
using testing::TemporaryFolder;
using testing::write_oxford_sequence;
using Remarks = std::vector<std::string>;

constexpr double kDigits = 1e-5;  // the file has six decimals

std::int64_t time_of(int scan) {
  return kScanStart_us + scan * kScanPeriod_us;
}

OxfordIncrement increment(int earlier, const SE2& T) {
  return {time_of(earlier), time_of(earlier + 1), T};
}

void expect_pose(const std::optional<SE2>& pose, const SE2& expected, double tolerance = kDigits) {
  ASSERT_TRUE(pose.has_value());
  EXPECT_NEAR(pose->x, expected.x, tolerance);
  EXPECT_NEAR(pose->y, expected.y, tolerance);
  EXPECT_NEAR(wrap_angle(pose->yaw - expected.yaw), 0, tolerance);
}

class OxfordGroundTruth : public ::testing::Test {
 protected:
  std::unique_ptr<Dataset> open() { return oxford::open(folder_.path(), {}); }
  std::string error_for(const std::string& contents) {
    write_csv(contents);
    return error_of([&] { open(); });
  }
  void write_csv(const std::string& contents) {
    fs::create_directories(folder_ / "gt");
    write_file(sequence_.ground_truth(), contents);
  }

  TemporaryFolder folder_;
  OxfordSequence sequence_ = write_oxford_sequence(folder_.path(), 4);
};

const SE2 kAhead{2, 0, 0};
const SE2 kQuarterTurn{1, 0, std::numbers::pi / 2};

TEST_F(OxfordGroundTruth, ComposesIncrements) {
  sequence_.write_ground_truth({increment(0, kAhead), increment(1, kQuarterTurn), increment(2, kAhead)});
  const auto sequence = open();
  const auto& poses = sequence->ground_truth();
  ASSERT_EQ(poses.size(), 4u);
  expect_pose(poses[0], {});
  expect_pose(poses[1], kAhead);
  expect_pose(poses[2], {3, 0, std::numbers::pi / 2});
  expect_pose(poses[3], {3, 2, std::numbers::pi / 2});  // after a right turn, ahead is to the right
  EXPECT_EQ(sequence->remarks(), Remarks{});
}

TEST_F(OxfordGroundTruth, GoesThroughScansThatAreMissing) {
  sequence_.write_ground_truth({increment(0, kAhead), increment(1, kQuarterTurn), increment(2, kAhead)});
  fs::remove(sequence_.file(time_of(1)));
  const auto sequence = open();
  ASSERT_EQ(sequence->ground_truth().size(), 3u);
  expect_pose(sequence->ground_truth()[1], {3, 0, std::numbers::pi / 2});
}

TEST_F(OxfordGroundTruth, IsInTheFrameOfTheFirstScanThatHasAPose) {
  sequence_.write_ground_truth({increment(-1, {5, 1, 1}), increment(0, kAhead), increment(1, kQuarterTurn)});
  const auto sequence = open();
  expect_pose(sequence->ground_truth()[0], {});
  expect_pose(sequence->ground_truth()[1], kAhead);
  fs::remove(sequence_.file(time_of(0)));
  expect_pose(open()->ground_truth()[1], kQuarterTurn);
}

TEST_F(OxfordGroundTruth, ScansOutsideItHaveNoPose) {
  sequence_.write_ground_truth({increment(1, kAhead)});
  const auto sequence = open();
  const auto& poses = sequence->ground_truth();
  EXPECT_FALSE(poses[0] || poses[3]);
  expect_pose(poses[1], {});
  expect_pose(poses[2], kAhead);
  EXPECT_EQ(sequence->remarks(), Remarks{"ground truth for 2 of 4 scans"});
}

TEST_F(OxfordGroundTruth, EndsWhereTheChainBreaks) {
  sequence_.write_ground_truth({increment(0, kAhead), increment(2, kAhead)});
  const auto sequence = open();
  const auto& poses = sequence->ground_truth();
  EXPECT_TRUE(poses[0] && poses[1]);
  EXPECT_FALSE(poses[2] || poses[3]);
  EXPECT_EQ(
      sequence->remarks(),
      (Remarks{fmt::format("ground truth is interrupted after {} and left out from there on", time_of(1)),
               "ground truth for 2 of 4 scans"}));
}

TEST_F(OxfordGroundTruth, OfOtherScansIsNone) {
  sequence_.write_ground_truth({increment(100, kAhead)});
  const auto sequence = open();
  EXPECT_TRUE(sequence->ground_truth().empty());
  EXPECT_EQ(sequence->remarks(), Remarks{"ground truth for 0 of 4 scans"});
}

TEST_F(OxfordGroundTruth, ColumnsAreFoundByName) {
  write_csv(
      fmt::format("yaw, destination_radar_timestamp ,y,source_radar_timestamp,x\r\n0.5,{},3,{},2\r\n\r\n\r\n",
                  time_of(0), time_of(1)));
  expect_pose(open()->ground_truth()[1], {2, 3, 0.5});
}

TEST_F(OxfordGroundTruth, MissingColumnsAreNamed) {
  expect_message(error_for("source_timestamp,x,source_radar_timestamp\n"), sequence_.ground_truth(),
                 {"found none for y, yaw, destination_radar_timestamp;"});
  expect_message(error_for(""), sequence_.ground_truth(), {"found none for x, y, yaw"});
}

TEST_F(OxfordGroundTruth, EveryNumberIsANumber) {
  const std::string header = "x,y,yaw,source_radar_timestamp,destination_radar_timestamp\n";
  for (const char* bad : {"", "nan", "inf", "-inf", "1e999", "2m", "1.0.0", "--1"}) {
    const std::string message = error_for(header + fmt::format("1,0,0,6,5\n1,{},0,7,6\n", bad));
    expect_message(message, sequence_.ground_truth(),
                   {"line 3", "finite number for y", fmt::format("'{}'", bad)});
  }
  expect_message(error_for(header + "1,0,0,6.5,5\n"), sequence_.ground_truth(),
                 {"line 2", "source_radar_timestamp", "'6.5'"});
  expect_message(error_for(header + "1,0,0,6\n"), sequence_.ground_truth(),
                 {"line 2", "destination_radar_timestamp", "4 fields"});
  expect_message(error_for(header + "1,0,0,6,5\n\n1,0,0,7,6\n"), sequence_.ground_truth(), {"line 3"});
}

// Finite increments that add up to an infinite pose.
TEST_F(OxfordGroundTruth, MotionsAreInMetres) {
  expect_message(error_for("x,y,yaw,source_radar_timestamp,destination_radar_timestamp\n"
                           "1,0,0,6,5\n-1.5e308,1e308,0,7,6\n"),
                 sequence_.ground_truth(),
                 {"line 3", "expected a motion in metres, found -1.5e+308 and 1e+308"});
}

TEST_F(OxfordGroundTruth, TheSourceIsTheLaterScan) {
  expect_message(error_for("x,y,yaw,source_radar_timestamp,destination_radar_timestamp\n1,0,0,5,6\n"),
                 sequence_.ground_truth(), {"line 2", "expected the source after the destination"});
}

TEST(RealOxfordGroundTruth, StartsWithTheFirstIncrement) {
  FMBYM_NEEDS_REAL_DATA("oxford-tiny");
  const auto sequence = oxford::open(real_data("oxford-tiny"), {});
  const auto& poses = sequence->ground_truth();
  ASSERT_EQ(poses.size(), 11u);
  for (const auto& pose : poses) EXPECT_TRUE(pose.has_value());
  expect_pose(poses[0], {});
  expect_pose(poses[1], {2.402550, -0.022744, -0.011546}, 1e-12);
  expect_pose(poses[1]->inverse() * *poses[2], {2.286416, -0.011055, -0.010155}, 1e-12);
}

// 530 m: the length given for the drive.
TEST(RealOxfordGroundTruth, HasTheLengthOfTheDrive) {
  FMBYM_NEEDS_REAL_DATA("oxford-reduced/val");
  const auto sequence = oxford::open(real_data("oxford-reduced/val"), {});
  double length = 0;
  for (std::size_t i = 1; i < sequence->size(); ++i) {
    const SE2 T = sequence->ground_truth()[i - 1]->inverse() * *sequence->ground_truth()[i];
    length += std::hypot(T.x, T.y);
  }
  EXPECT_NEAR(length, 530, 5);
}

}  // namespace
}  // namespace fmbym
