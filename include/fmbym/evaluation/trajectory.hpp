// Trajectories and the files that hold them: TUM, KITTI rows, Oxford csv, told apart by their content.
#pragma once

#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "fmbym/core/se2.hpp"

namespace fmbym {

// Poses in time. Spatial, because ground truth of other data sets has height, roll and pitch.
struct Trajectory {
  std::vector<std::int64_t>
      time_ns;  // increasing, as many as poses; or empty where the file has no times (KITTI)
  // Pose of each frame in the world. Rotations read from KITTI rows are as rounded as the file: use
  // inverse(Eigen::Affine), which inverts what is there, where T⁻¹·T must be the identity.
  std::vector<Eigen::Isometry3d> T_world;

  std::size_t size() const { return T_world.size(); }
  bool timed() const { return !time_ns.empty(); }
};

Eigen::Isometry3d to_spatial(const SE2& pose);
// Drops height, roll and pitch.
SE2 to_planar(const Eigen::Isometry3d& pose);

enum class TrajectoryFormat { tum, kitti, oxford_csv };
std::string to_string(TrajectoryFormat format);

struct TrajectoryFile {
  TrajectoryFormat format;
  Trajectory trajectory;
};

// Reads any of the formats. The first pose of an Oxford csv, which holds increments, is the identity.
// Throws Error naming the file, the line, what is wrong there and what to do.
TrajectoryFile read_trajectory(const std::filesystem::path& file);

// Writers are atomic: they write beside the file and rename. Throw Error if that fails, a full disk included,
// and when the trajectory has no times but the format needs them. Increments of an Oxford csv are the motion
// between successive poses.
void write_trajectory(const std::filesystem::path& file, const Trajectory& trajectory,
                      TrajectoryFormat format);

}  // namespace fmbym
