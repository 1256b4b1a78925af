// The ground truth of the Oxford Radar RobotCar dataset, gt/radar_odometry.csv: the motion between successive
// scans.
#include <fmt/format.h>

#include <string_view>

#include "evaluation/trajectory_reader.hpp"

namespace fmbym {
namespace {

struct Columns {
  std::size_t x, y, z, roll, pitch, yaw;
  std::size_t later_time, earlier_time;
};

std::size_t find_column(const TextLine& header, std::string_view name) {
  for (std::size_t i = 0; i < header.columns(); ++i)
    if (header.column(i) == name) return i;
  header.fail(fmt::format("column '{}' is missing", name),
              "a file with commas must begin with the header of Oxford's radar_odometry.csv");
}

Columns find_columns(const TextLine& header) {
  const auto find = [&](std::string_view name) { return find_column(header, name); };
  return {.x = find("x"),
          .y = find("y"),
          .z = find("z"),
          .roll = find("roll"),
          .pitch = find("pitch"),
          .yaw = find("yaw"),
          .later_time = find("source_radar_timestamp"),
          .earlier_time = find("destination_radar_timestamp")};
}

Eigen::Isometry3d increment(const TextLine& line, const Columns& columns) {
  using Eigen::AngleAxisd, Eigen::Vector3d;
  return Eigen::Translation3d(line.number(columns.x), line.number(columns.y), line.number(columns.z)) *
         AngleAxisd(line.number(columns.yaw), Vector3d::UnitZ()) *
         AngleAxisd(line.number(columns.pitch), Vector3d::UnitY()) *
         AngleAxisd(line.number(columns.roll), Vector3d::UnitX());
}

}  // namespace

Trajectory read_oxford_csv(const std::vector<TextLine>& lines) {
  const TextLine& header = lines.front();
  const Columns columns = find_columns(header);
  Trajectory trajectory;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const TextLine& line = lines[i];
    line.expect_columns(header.columns());
    const std::int64_t earlier = line.time_ns(columns.earlier_time, TimeUnit::microseconds);
    if (i == 1) append(trajectory, line, earlier, Eigen::Isometry3d::Identity());
    if (earlier != trajectory.time_ns.back())
      line.fail("destination_radar_timestamp is not the source_radar_timestamp of the line before",
                "the increments must form one chain: add the missing lines or split the file there");
    const Eigen::Isometry3d T_world_curr = trajectory.T_world.back() * increment(line, columns);
    append(trajectory, line, line.time_ns(columns.later_time, TimeUnit::microseconds), T_world_curr);
  }
  return trajectory;
}

}  // namespace fmbym
