#include <gtest/gtest.h>

#include <fstream>
#include <numbers>

#include "evaluation/trajectories.hpp"
#include "fmbym/core/file.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym {
namespace {

using testing::TemporaryFolder;

TrajectoryFile read_text(std::string_view text) {
  const TemporaryFolder folder;
  write_file(folder / "any name", text);
  return read_trajectory(folder / "any name");
}

void expect_planar(const Eigen::Isometry3d& pose, const SE2& expected) {
  const SE2 found = to_planar(pose);
  EXPECT_NEAR(found.x, expected.x, 1e-9);
  EXPECT_NEAR(found.y, expected.y, 1e-9);
  EXPECT_NEAR(found.yaw, expected.yaw, 1e-9);
}

TEST(ReadTrajectory, ReadsTumWithCommentsBlankLinesAndTabs) {
  const auto file = read_text(
      "# t x y z qx qy qz qw\r\n"
      "\r\n"
      "1547131046.353776 1 -2 0.5 0 0 0 1\r\n"
      "  1547131046.606586\t+3.5  -2e-1 0 0 0 0.70710678118654752 0.70710678118654752 \r\n"
      "\n"
      "# end");
  EXPECT_EQ(file.format, TrajectoryFormat::tum);
  EXPECT_EQ(file.trajectory.time_ns, (std::vector<std::int64_t>{1547131046353776000, 1547131046606586000}));
  EXPECT_EQ(file.trajectory.T_world[0].translation(), Eigen::Vector3d(1, -2, 0.5));
  expect_planar(file.trajectory.T_world[1], {3.5, -0.2, std::numbers::pi / 2});
}

TEST(ReadTrajectory, KeepsEveryNanosecond) {
  const auto time = [](const std::string& text) {
    return read_text("-99 0 0 0 0 0 0 1\n" + text + " 0 0 0 0 0 0 1\n").trajectory.time_ns.back();
  };
  EXPECT_EQ(time("1547131046.353776001"), 1547131046353776001);
  EXPECT_EQ(time("1547131046.353776"), 1547131046353776000);
  EXPECT_EQ(time("1547131046"), 1547131046000000000);
  EXPECT_EQ(time("1547131046."), 1547131046000000000);
  EXPECT_EQ(time(".5"), 500000000);
  EXPECT_EQ(time("0"), 0);
  EXPECT_EQ(time("0e999999"), 0);
  EXPECT_EQ(time("-0.000000001"), -1);
  EXPECT_EQ(time("0.0000000015"), 2);  // beyond nanoseconds: to the nearest
  EXPECT_EQ(time("0.00000000149"), 1);
  EXPECT_EQ(time("1.547131046353776001e+09"), 1547131046353776001);  // as NumPy writes
  EXPECT_EQ(time("15471310463537.76e-4"), 1547131046353776000);
  EXPECT_EQ(time("1e-12"), 0);
}

TEST(ReadTrajectory, NormalisesQuaternions) {
  const auto file = read_text("0 0 0 0 0 0 0 1.009\n1 0 0 0 0 0 0.7 0.71\n");
  for (const auto& pose : file.trajectory.T_world)
    EXPECT_NEAR((pose.linear() * pose.linear().transpose() - Eigen::Matrix3d::Identity()).norm(), 0, 1e-12);
}

TEST(ReadTrajectory, ReadsKittiRowsAsTheyAre) {
  const auto file =
      read_text("1 0 0 0 0 1 0 0 0 0 1 0\n 0.999992 -0.004022 0 1.5 0.004022 0.999992 0 2 0 0 1 3 \r\n");
  EXPECT_EQ(file.format, TrajectoryFormat::kitti);
  EXPECT_FALSE(file.trajectory.timed());
  const auto& pose = file.trajectory.T_world.at(1);
  EXPECT_EQ(pose(0, 0), 0.999992);
  EXPECT_EQ(pose(0, 1), -0.004022);
  EXPECT_EQ(pose.translation(), Eigen::Vector3d(1.5, 2, 3));
}

TEST(ReadTrajectory, ChainsOxfordIncrementsFromTheEarlierScan) {
  const auto file = read_text(
      "source_timestamp,destination_timestamp,x,y,z,roll,pitch,yaw,source_radar_timestamp,destination_radar_"
      "timestamp\n"
      "1547131046732448,1547131046480034,2,0,0,0,0,1.5707963267948966,1547131046606586,1547131046353776\r\n"
      "1547131046983473,1547131046732448,3,1,0,0,0,0,1547131046858560,1547131046606586\n");
  EXPECT_EQ(file.format, TrajectoryFormat::oxford_csv);
  EXPECT_EQ(file.trajectory.time_ns,
            (std::vector<std::int64_t>{1547131046353776000, 1547131046606586000, 1547131046858560000}));
  expect_planar(file.trajectory.T_world[0], {0, 0, 0});
  expect_planar(file.trajectory.T_world[1], {2, 0, std::numbers::pi / 2});
  expect_planar(file.trajectory.T_world[2], {1, 3, std::numbers::pi / 2});
}

TEST(ReadTrajectory, FindsOxfordColumnsByName) {
  const auto file = read_text(
      "yaw, destination_radar_timestamp, source_radar_timestamp, pitch, roll, note, z, y, x\n"
      "0.1, 1000000, 1250000, 0.2, 0.3, seen, 3, 2, 1\n");
  EXPECT_EQ(file.trajectory.time_ns, (std::vector<std::int64_t>{1000000000, 1250000000}));
  EXPECT_EQ(file.trajectory.T_world[1].translation(), Eigen::Vector3d(1, 2, 3));
  // Rz(yaw)·Ry(pitch)·Rx(roll), written out.
  const auto R = file.trajectory.T_world[1].linear();
  EXPECT_NEAR(R(2, 0), -std::sin(0.2), 1e-12);
  EXPECT_NEAR(R(2, 1), std::cos(0.2) * std::sin(0.3), 1e-12);
  EXPECT_NEAR(R(1, 0), std::sin(0.1) * std::cos(0.2), 1e-12);
}

TEST(ReadTrajectory, PassesOverAByteOrderMark) {
  EXPECT_EQ(read_text("\xEF\xBB\xBF"
                      "0 0 0 0 0 0 0 1\n1 0 0 0 0 0 0 1\n")
                .trajectory.size(),
            2u);
}

TEST(Trajectory, PlanarAndSpatialPosesAreTheSame) {
  const SE2 pose{3, -4, 2.5};
  expect_planar(to_spatial(pose), pose);
  const Eigen::Vector3d point = to_spatial(pose) * Eigen::Vector3d(1, 2, 0);
  EXPECT_NEAR(point.x(), (pose * Vec2{1, 2}).x, 1e-12);
  EXPECT_NEAR(point.y(), (pose * Vec2{1, 2}).y, 1e-12);
}

}  // namespace
}  // namespace fmbym
