#include <fmt/format.h>

#include <cmath>

#include "evaluation/trajectory_reader.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"

namespace fmbym {
namespace {

constexpr std::size_t kTumColumns = 8;     // t x y z qx qy qz qw
constexpr std::size_t kKittiColumns = 12;  // the upper three rows of the pose's matrix
// Files keep few digits; another order of columns would be far outside.
constexpr double kRotationTolerance = 1e-3;
constexpr double kQuaternionTolerance = 1e-2;
// [m], well beyond the moon; without a limit, lengths and errors would become infinite.
constexpr double kFarthest = 1e9;

Eigen::Quaterniond quaternion(const TextLine& line) {
  const Eigen::Quaterniond q(line.number(7), line.number(4), line.number(5), line.number(6));
  if (std::abs(q.norm() - 1) > kQuaternionTolerance)
    line.fail(fmt::format("the quaternion has length {:.4g}, not 1", q.norm()),
              "the order of columns is t x y z qx qy qz qw");
  return q.normalized();
}

void check_rotation(const TextLine& line, const Eigen::Matrix3d& R) {
  const double deviation = (R * R.transpose() - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff();
  if (!(deviation <= kRotationTolerance && R.determinant() > 0))
    line.fail("columns 1-3, 5-7 and 9-11 are not the rows of a rotation",
              "a KITTI row is the pose's 3 by 4 matrix, row after row");
}

void check_position(const TextLine& line, const Eigen::Isometry3d& pose) {
  const double distance = pose.translation().stableNorm();
  if (!(distance <= kFarthest))
    line.fail(
        fmt::format("the position is {:.3g} m away, where at most {:.3g} make sense", distance, kFarthest),
        "give positions in metres");
}

Eigen::Isometry3d kitti_pose(const TextLine& line) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  for (std::size_t i = 0; i < kKittiColumns; ++i)
    pose(static_cast<int>(i / 4), static_cast<int>(i % 4)) = line.number(i);
  check_rotation(line, pose.linear());
  check_position(line, pose);
  return pose;
}

TrajectoryFormat format_of(const TextLine& first) {
  if (first.has_commas()) return TrajectoryFormat::oxford_csv;
  if (first.columns() == kTumColumns) return TrajectoryFormat::tum;
  if (first.columns() == kKittiColumns) return TrajectoryFormat::kitti;
  first.fail(
      fmt::format("{} columns belong to no known format", first.columns()),
      "give TUM lines (t x y z qx qy qz qw), KITTI rows (12 numbers) or an Oxford csv with its header");
}

Trajectory read(const std::vector<TextLine>& lines, TrajectoryFormat format) {
  switch (format) {
    case TrajectoryFormat::tum:
      return read_tum(lines);
    case TrajectoryFormat::kitti:
      return read_kitti(lines);
    case TrajectoryFormat::oxford_csv:
      break;
  }
  return read_oxford_csv(lines);
}

}  // namespace

void append(Trajectory& trajectory, const TextLine& line, std::int64_t time_ns,
            const Eigen::Isometry3d& pose) {
  if (trajectory.timed() && time_ns <= trajectory.time_ns.back())
    line.fail("its time is not later than the one before", "sort the lines by time and remove repeated ones");
  check_position(line, pose);
  trajectory.time_ns.push_back(time_ns);
  trajectory.T_world.push_back(pose);
}

Trajectory read_tum(const std::vector<TextLine>& lines) {
  Trajectory trajectory;
  for (const TextLine& line : lines) {
    line.expect_columns(kTumColumns);
    const Eigen::Translation3d position(line.number(1), line.number(2), line.number(3));
    append(trajectory, line, line.time_ns(0, TimeUnit::seconds), position * quaternion(line));
  }
  return trajectory;
}

Trajectory read_kitti(const std::vector<TextLine>& lines) {
  Trajectory trajectory;
  for (const TextLine& line : lines) {
    line.expect_columns(kKittiColumns);
    trajectory.T_world.push_back(kitti_pose(line));
  }
  return trajectory;
}

TrajectoryFile read_trajectory(const std::filesystem::path& file) {
  return parse_trajectory(read_file(file), file.string());
}

TrajectoryFile parse_trajectory(std::string_view contents, const std::string& name) {
  const auto lines = lines_with_content(name, contents);
  if (lines.empty()) throw Error(fmt::format("{}: holds no poses; give a trajectory file", name));
  const TrajectoryFormat format = format_of(lines.front());
  TrajectoryFile result{format, read(lines, format)};
  if (result.trajectory.size() < 2)
    lines.back().fail("the file ends with fewer than two poses", "give a trajectory of at least two");
  return result;
}

}  // namespace fmbym
