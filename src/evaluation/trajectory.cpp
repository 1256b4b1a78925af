#include "fmbym/evaluation/trajectory.hpp"

#include <cmath>

namespace fmbym {

Eigen::Isometry3d to_spatial(const SE2& pose) {
  return Eigen::Translation3d(pose.x, pose.y, 0) * Eigen::AngleAxisd(pose.yaw, Eigen::Vector3d::UnitZ());
}

SE2 to_planar(const Eigen::Isometry3d& pose) {
  const auto R = pose.linear();
  return {pose.translation().x(), pose.translation().y(), wrap_angle(std::atan2(R(1, 0), R(0, 0)))};
}

std::string to_string(TrajectoryFormat format) {
  switch (format) {
    case TrajectoryFormat::tum:
      return "TUM";
    case TrajectoryFormat::kitti:
      return "KITTI";
    case TrajectoryFormat::oxford_csv:
      break;
  }
  return "Oxford csv";
}

}  // namespace fmbym
