#include <gtest/gtest.h>

#include <numbers>

#include "evaluation/trajectories.hpp"
#include "fmbym/core/file.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym {
namespace {

using testing::contains;
using testing::message_of;
using testing::TemporaryFolder;
using testing::winding;

TrajectoryFile round_trip(const Trajectory& trajectory, TrajectoryFormat format) {
  const TemporaryFolder folder;
  write_trajectory(folder / "trajectory", trajectory, format);
  return read_trajectory(folder / "trajectory");
}

std::string written(const Trajectory& trajectory, TrajectoryFormat format) {
  const TemporaryFolder folder;
  write_trajectory(folder / "trajectory", trajectory, format);
  return read_file(folder / "trajectory");
}

void expect_same_poses(const Trajectory& a, const Trajectory& b, double metres, double rotation) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR((a.T_world[i].translation() - b.T_world[i].translation()).norm(), 0, metres) << i;
    EXPECT_NEAR((a.T_world[i].linear() - b.T_world[i].linear()).norm(), 0, rotation) << i;
  }
}

// Millions of metres, as in a map projection, and a turn of every size.
Trajectory far_and_turning() {
  Trajectory trajectory =
      testing::moved(Eigen::Isometry3d(Eigen::Translation3d(353166.9, 4025845.4, 30)), winding(1));
  for (int i = 0; i <= 36; ++i) {
    trajectory.time_ns.push_back(trajectory.time_ns.back() + 1);
    trajectory.T_world.push_back(trajectory.T_world.back() * to_spatial({1, 0, i * std::numbers::pi / 18}));
  }
  return trajectory;
}

TEST(WriteTrajectory, TumKeepsPosesAndEveryNanosecond) {
  const Trajectory trajectory = far_and_turning();
  const auto back = round_trip(trajectory, TrajectoryFormat::tum);
  EXPECT_EQ(back.format, TrajectoryFormat::tum);
  EXPECT_EQ(back.trajectory.time_ns, trajectory.time_ns);
  expect_same_poses(back.trajectory, trajectory, 1e-6, 1e-8);
}

TEST(WriteTrajectory, KittiKeepsPoses) {
  const Trajectory trajectory = far_and_turning();
  const auto back = round_trip(trajectory, TrajectoryFormat::kitti);
  EXPECT_EQ(back.format, TrajectoryFormat::kitti);
  EXPECT_FALSE(back.trajectory.timed());
  expect_same_poses(back.trajectory, trajectory, 1e-6, 1e-8);
}

TEST(WriteTrajectory, OxfordCsvKeepsTheMotionAndEveryMicrosecond) {
  Trajectory trajectory = winding(4);
  for (auto& time : trajectory.time_ns) time -= time % 1000;
  const auto back = round_trip(trajectory, TrajectoryFormat::oxford_csv);
  EXPECT_EQ(back.format, TrajectoryFormat::oxford_csv);
  EXPECT_EQ(back.trajectory.time_ns, trajectory.time_ns);
  const auto from_first = testing::moved(trajectory.T_world.front().inverse(), trajectory);
  // 800 increments rounded to 5e-10 rad, over 2 km: at worst a millimetre, at random some micrometres.
  expect_same_poses(back.trajectory, from_first, 1e-4, 1e-6);
}

TEST(WriteTrajectory, OxfordCsvKeepsEveryRotation) {
  Trajectory trajectory;
  std::mt19937 random(9);
  for (int i = 0; i < 200; ++i) {
    trajectory.time_ns.push_back(i * 1000);
    trajectory.T_world.push_back(testing::random_motion(random, 5, 3.1));
  }
  // The x axis straight up, where roll and yaw turn about the same line.
  trajectory.T_world[7] = trajectory.T_world[6] * Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitZ()) *
                          Eigen::AngleAxisd(-std::numbers::pi / 2, Eigen::Vector3d::UnitY());
  const auto from_first = testing::moved(trajectory.T_world.front().inverse(), trajectory);
  const auto back = round_trip(trajectory, TrajectoryFormat::oxford_csv);
  expect_same_poses(back.trajectory, from_first, 1e-5, 1e-6);
}

TEST(WriteTrajectory, TumLooksAsOthersExpect) {
  Trajectory trajectory = testing::planar({{0, 0, 0}, {1, -2, std::numbers::pi}});
  trajectory.time_ns = {1547131046'353770000, 1547131046'353776010};
  EXPECT_EQ(
      written(trajectory, TrajectoryFormat::tum),
      "# t[s] x[m] y[m] z[m] qx qy qz qw\n"
      "1547131046.353770 0.000000 0.000000 0.000000 0.000000000 0.000000000 0.000000000 1.000000000\n"
      "1547131046.35377601 1.000000 -2.000000 0.000000 0.000000000 0.000000000 1.000000000 0.000000000\n");
}

TEST(WriteTrajectory, OxfordCsvLooksLikeTheDataset) {
  Trajectory trajectory = testing::planar({{5, 5, 0}, {6, 4.5, 0.25}});
  trajectory.time_ns = {1547131046'353776000, 1547131046'606586000};
  EXPECT_EQ(
      written(trajectory, TrajectoryFormat::oxford_csv),
      "source_timestamp,destination_timestamp,x,y,z,roll,pitch,yaw,source_radar_timestamp,"
      "destination_radar_timestamp\n"
      "1547131046606586,1547131046353776,1.000000000,-0.500000000,0.000000000,-0.000000000,-0.000000000,"
      "0.250000000,1547131046606586,1547131046353776\n");
}

TEST(WriteTrajectory, RefusesFormatsWithTimesWhereThereAreNone) {
  const TemporaryFolder folder;
  for (const auto format : {TrajectoryFormat::tum, TrajectoryFormat::oxford_csv}) {
    const auto message = message_of([&] { write_trajectory(folder / "file", testing::straight(3), format); });
    EXPECT_TRUE(contains(message, (folder / "file").string()));
    EXPECT_TRUE(contains(message, to_string(format) + " needs times"));
    EXPECT_FALSE(std::filesystem::exists(folder / "file"));
  }
}

TEST(WriteTrajectory, NamesTheFileThatCannotBeWritten) {
  const TemporaryFolder folder;
  const auto file = folder / "no/such/file";
  EXPECT_TRUE(contains(message_of([&] { write_trajectory(file, winding(1), TrajectoryFormat::tum); }),
                       file.string()));
}

}  // namespace
}  // namespace fmbym
