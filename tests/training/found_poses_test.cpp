// Poses by odometry in place of the ground truth.
#include "training/found_poses.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/drive.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::training {
namespace {

constexpr int kScans = 6;

class FoundPoses : public ::testing::Test {
 protected:
  FoundPoses() : sequence_(testing::write_drive(folder_ / "drive", drive_)) {}

  std::unique_ptr<Dataset> found() const {
    return with_found_poses(open_dataset(folder_ / "drive"), [](std::size_t) { return true; });
  }

  testing::TemporaryFolder folder_;
  testing::Drive drive_{.scans = kScans};
  testing::OxfordSequence sequence_;
};

TEST_F(FoundPoses, AreThoseOfTheDrive) {
  std::filesystem::remove_all(folder_ / "drive" / "gt");
  const auto sequence = found();
  ASSERT_EQ(sequence->ground_truth().size(), std::size_t(kScans));
  for (int i = 0; i < kScans; ++i) {
    const auto& pose = sequence->ground_truth()[std::size_t(i)];
    ASSERT_TRUE(pose);
    const SE2 error = drive_.T_first(i).inverse() * *pose;  // of five steps at most, in pixels of 0.2 m
    EXPECT_NEAR(error.x, 0, 0.1);
    EXPECT_NEAR(error.y, 0, 0.1);
    EXPECT_NEAR(error.yaw, 0, 0.005);
  }
}

TEST_F(FoundPoses, LeaveTheRestAsItIs) {
  const auto before = open_dataset(folder_ / "drive");
  const auto after = found();
  EXPECT_EQ(after->format(), before->format());
  EXPECT_EQ(after->size(), before->size());
  EXPECT_EQ(after->timestamp_us(2), before->timestamp_us(2));
  EXPECT_EQ(after->file(2), before->file(2));
  EXPECT_EQ(after->read(2).power, before->read(2).power);
  EXPECT_EQ(after->calibration().range_resolution, before->calibration().range_resolution);
  EXPECT_EQ(after->remarks(), before->remarks());
}

TEST_F(FoundPoses, AScanThatShowsNothingHasNone) {
  testing::OxfordScan blank = testing::scan_of(drive_, 3);
  std::fill(blank.power.begin(), blank.power.end(), 0);
  sequence_.write_scan(testing::Drive::time_us(3), blank);
  const auto sequence = found();
  for (int i = 0; i < kScans; ++i)
    EXPECT_EQ(sequence->ground_truth()[std::size_t(i)].has_value(), i != 3) << i;
}

TEST_F(FoundPoses, CanBeStopped) {
  std::size_t asked = 0;
  const auto until_two = [&](std::size_t done) { return (asked = done) < 2; };
  EXPECT_EQ(with_found_poses(open_dataset(folder_ / "drive"), until_two), nullptr);
  EXPECT_EQ(asked, 2u);
}

}  // namespace
}  // namespace fmbym::training
