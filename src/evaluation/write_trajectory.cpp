#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <iterator>

#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"
#include "fmbym/evaluation/trajectory.hpp"

namespace fmbym {
namespace {

struct EulerAngles {
  double roll, pitch, yaw;  // R = Rz(yaw)·Ry(pitch)·Rx(roll)
};

// Takes the yaw off first, which leaves roll and pitch well defined even where the x axis points straight up.
EulerAngles euler_angles(const Eigen::Matrix3d& R) {
  const double yaw = std::atan2(R(1, 0), R(0, 0));
  const Eigen::Matrix3d Q = Eigen::AngleAxisd(-yaw, Eigen::Vector3d::UnitZ()) * R;
  return {std::atan2(-Q(1, 2), Q(1, 1)), std::atan2(-Q(2, 0), Q(0, 0)), yaw};
}

// Every nanosecond, and six decimals at least, as others write microseconds.
std::string seconds(std::int64_t time_ns) {
  const auto whole = std::abs(time_ns) / 1'000'000'000, fraction = std::abs(time_ns) % 1'000'000'000;
  std::string text = fmt::format("{}{}.{:09}", time_ns < 0 ? "-" : "", whole, fraction);
  for (int cut = 0; cut < 3 && text.back() == '0'; ++cut) text.pop_back();
  return text;
}

std::string tum_lines(const Trajectory& trajectory) {
  std::string text = "# t[s] x[m] y[m] z[m] qx qy qz qw\n";
  for (std::size_t i = 0; i < trajectory.size(); ++i) {
    const auto p = trajectory.T_world[i].translation();
    Eigen::Quaterniond q(trajectory.T_world[i].linear());
    q.normalize();
    if (q.w() < 0) q.coeffs() = -q.coeffs();
    fmt::format_to(std::back_inserter(text), "{} {:.6f} {:.6f} {:.6f} {:.9f} {:.9f} {:.9f} {:.9f}\n",
                   seconds(trajectory.time_ns[i]), p.x(), p.y(), p.z(), q.x(), q.y(), q.z(), q.w());
  }
  return text;
}

std::string kitti_rows(const Trajectory& trajectory) {
  std::string text;
  for (const Eigen::Isometry3d& T : trajectory.T_world)
    for (int row = 0; row < 3; ++row)
      fmt::format_to(std::back_inserter(text), "{:.9f} {:.9f} {:.9f} {:.6f}{}", T(row, 0), T(row, 1),
                     T(row, 2), T(row, 3), row < 2 ? ' ' : '\n');
  return text;
}

std::int64_t microseconds(std::int64_t time_ns) {
  return (time_ns + (time_ns < 0 ? -500 : 500)) / 1000;
}

// More decimals than the dataset's six: the rounding of thousands of yaw increments adds up.
std::string oxford_csv(const Trajectory& trajectory) {
  std::string text =
      "source_timestamp,destination_timestamp,x,y,z,roll,pitch,yaw,"
      "source_radar_timestamp,destination_radar_timestamp\n";
  for (std::size_t i = 1; i < trajectory.size(); ++i) {
    const Eigen::Isometry3d T_prev_curr =
        trajectory.T_world[i - 1].inverse(Eigen::Affine) * trajectory.T_world[i];
    const auto p = T_prev_curr.translation();
    const auto [roll, pitch, yaw] = euler_angles(T_prev_curr.linear());
    const auto later = microseconds(trajectory.time_ns[i]), earlier = microseconds(trajectory.time_ns[i - 1]);
    fmt::format_to(std::back_inserter(text), "{},{},{:.9f},{:.9f},{:.9f},{:.9f},{:.9f},{:.9f},{},{}\n", later,
                   earlier, p.x(), p.y(), p.z(), roll, pitch, yaw, later, earlier);
  }
  return text;
}

std::string formatted(const Trajectory& trajectory, TrajectoryFormat format) {
  switch (format) {
    case TrajectoryFormat::tum:
      return tum_lines(trajectory);
    case TrajectoryFormat::kitti:
      return kitti_rows(trajectory);
    case TrajectoryFormat::oxford_csv:
      break;
  }
  return oxford_csv(trajectory);
}

}  // namespace

void write_trajectory(const std::filesystem::path& file, const Trajectory& trajectory,
                      TrajectoryFormat format) {
  if (format != TrajectoryFormat::kitti && trajectory.size() > 0 && !trajectory.timed())
    throw Error(fmt::format("{}: {} needs times and the trajectory has none; write KITTI rows instead",
                            file.string(), to_string(format)));
  assert(!trajectory.timed() || trajectory.time_ns.size() == trajectory.size());
  write_file(file, formatted(trajectory, format));
}

}  // namespace fmbym
