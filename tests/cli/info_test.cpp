// What is this file?
#include "cli/info.hpp"

#include <gtest/gtest.h>

#include "fmbym/evaluation/trajectory.hpp"
#include "support/oxford_writer.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

std::int64_t time_of(int scan) {
  return kScanStart_us + scan * kScanPeriod_us;
}

class InfoCommand : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  OxfordSequence sequence_ = write_oxford_sequence(folder_ / "sequence", 5);
};

TEST_F(InfoCommand, OnAScan) {
  OxfordScan scan = make_oxford_scan(time_of(0));
  scan.valid[3] = scan.valid[4] = 0;
  sequence_.write_scan(time_of(0), scan);
  const Json found = info(sequence_.file(time_of(0)));
  EXPECT_EQ(found["kind"], "scan");
  EXPECT_EQ(found["format"], "oxford");
  EXPECT_EQ(found["timestamp_us"], time_of(0));
  EXPECT_EQ(found["azimuths"], 40);
  EXPECT_EQ(found["invalid_azimuths"], 2);
  EXPECT_EQ(found["range_bins"], 432);
  EXPECT_DOUBLE_EQ(found["range_resolution_m"], 0.1752);
  EXPECT_EQ(found["range_offset_m"], 0);
  EXPECT_NEAR(found["first_azimuth_deg"].get<double>(), 13 * 360 / 5600.0 + 0.0103 * 180 / std::numbers::pi,
              1e-6);
  EXPECT_NEAR(found["max_range_m"].get<double>(), 432 * 0.1752, 1e-6);
  EXPECT_NEAR(found["duration_s"].get<double>(), 0.25 * 39 / 40, 1e-5);
  EXPECT_GT(found["mean_power"], 0);
  expect_contains(info_text(sequence_.file(time_of(0))), {"scan", "range bins", "432", "invalid azimuths"});
}

TEST_F(InfoCommand, OnASequence) {
  sequence_.write_ground_truth({{time_of(0), time_of(1), {1, 0, 0}}, {time_of(1), time_of(2), {1, 0, 0}}});
  std::filesystem::remove(sequence_.file(time_of(3)));
  const Json found = info(sequence_.folder());
  EXPECT_EQ(found["kind"], "sequence");
  EXPECT_EQ(found["format"], "oxford");
  EXPECT_EQ(found["scans"], 4);
  EXPECT_EQ(found["first_timestamp_us"], time_of(0));
  EXPECT_NEAR(found["duration_s"].get<double>(), 1, 1e-9);
  EXPECT_EQ(found["gaps"], 1);
  EXPECT_EQ(found["ground_truth_poses"], 3);
  EXPECT_DOUBLE_EQ(found["range_resolution_m"], 0.1752);
  EXPECT_DOUBLE_EQ(found["azimuth_offset_rad"], 0.0103);
  ASSERT_EQ(found["remarks"].size(), 2u);
  expect_contains(found["remarks"][0], {"1 scan listed in radar.timestamps is missing"});
  expect_contains(found["remarks"][1], {"ground truth for 3 of 4 scans"});
  expect_contains(info_text(sequence_.folder()),
                  {"sequence", "oxford", "note: 1 scan listed", "ground truth poses"});
}

TEST_F(InfoCommand, TakesTheSensorFromTheUser) {
  for (const auto& file : {sequence_.folder(), sequence_.file(time_of(0))}) {
    const Json found = info(file, {"--range-resolution", "0.06", "--range-offset", "-0.5"});
    EXPECT_DOUBLE_EQ(found["range_resolution_m"], 0.06);
    EXPECT_DOUBLE_EQ(found["range_offset_m"], -0.5);
  }
}

TEST_F(InfoCommand, OtherWidthsPointStraightAhead) {
  for (int i = 0; i < 5; ++i) sequence_.write_scan(time_of(i), make_oxford_scan(time_of(i), 40, 300));
  expect_failure(run({"info", sequence_.folder()}), kFailed, {"300 range bins", "--range-resolution"});
  EXPECT_EQ(info(sequence_.folder(), {"--range-resolution", "0.06"})["azimuth_offset_rad"], 0);
}

TEST_F(InfoCommand, OnATrajectory) {
  Trajectory trajectory;
  for (int i = 0; i < 5; ++i) {
    trajectory.time_ns.push_back(time_of(i) * 1000);
    trajectory.T_world.push_back(to_spatial({2.0 * i, 0, 0}));
  }
  for (const auto format : {TrajectoryFormat::tum, TrajectoryFormat::kitti, TrajectoryFormat::oxford_csv}) {
    write_trajectory(folder_ / "trajectory", trajectory, format);
    const Json found = info(folder_ / "trajectory");
    EXPECT_EQ(found["kind"], "trajectory");
    EXPECT_EQ(found["format"], to_string(format));
    EXPECT_EQ(found["poses"], 5);
    EXPECT_NEAR(found["length_m"].get<double>(), 8, 1e-6);
    if (format == TrajectoryFormat::kitti)
      EXPECT_EQ(found["duration_s"], nullptr);
    else
      EXPECT_NEAR(found["duration_s"].get<double>(), 1, 1e-9);
    expect_contains(info_text(folder_ / "trajectory"), {"trajectory", "length m"});
  }
}

TEST_F(InfoCommand, OnNonsense) {
  write_file(folder_ / "nonsense", "Sing goddess the anger");
  expect_failure(run({"info", folder_ / "nonsense"}), kFailed, {"nonsense", "no known format", "; "});
  write_file(folder_ / "empty", "");
  expect_failure(run({"info", folder_ / "empty"}), kFailed, {"empty", "; "});
  write_file(folder_ / "bytes", std::string("\0\xff\xfe\n\x01\x02", 6));
  expect_failure(run({"info", folder_ / "bytes", "--json"}), kFailed, {"bytes", "; "});
  write_file(folder_ / "cut.png", "\x89PNG");
  expect_failure(run({"info", folder_ / "cut.png"}), kFailed, {"cut.png", "cut off"});
  expect_failure(run({"info", folder_.path()}), kFailed, {folder_.path().c_str(), "radar/"});
  expect_failure(run({"info", folder_ / "nowhere"}), kFailed, {"nowhere", "check the path"});
}

}  // namespace
}  // namespace fmbym::testing
