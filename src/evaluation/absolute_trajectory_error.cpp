#include <fmt/format.h>

#include <Eigen/SVD>
#include <cmath>

#include "fmbym/core/error.hpp"
#include "fmbym/evaluation/metrics.hpp"

namespace fmbym {
namespace {

Eigen::Matrix3Xd positions(const Trajectory& trajectory) {
  Eigen::Matrix3Xd points(3, static_cast<Eigen::Index>(trajectory.size()));
  for (std::size_t i = 0; i < trajectory.size(); ++i)
    points.col(static_cast<Eigen::Index>(i)) = trajectory.T_world[i].translation();
  return points;
}

bool turns_over(const Eigen::Matrix3d& R_truth_estimate, const Trajectory& truth,
                const Trajectory& estimate) {
  double agreement = 0;  // of the frames' z axes
  for (std::size_t i = 0; i < truth.size(); ++i)
    agreement += truth.T_world[i].linear().col(2).dot(R_truth_estimate * estimate.T_world[i].linear().col(2));
  return agreement < 0;
}

// Umeyama 1991, Eq. (40), without scale. Positions on a plane fit as well when the plane is turned over, so
// left and right may be exchanged; of the rotations that keep it upright, the best gives up the smaller
// direction in the plane.
Eigen::Matrix3d best_rotation(const Trajectory& truth, const Trajectory& estimate,
                              const Eigen::Matrix3d& covariance) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::Matrix3d& U = svd.matrixU();
  const Eigen::Matrix3d& V = svd.matrixV();
  const double sign = U.determinant() * V.determinant() < 0 ? -1 : 1;
  const Eigen::Matrix3d R = U * Eigen::Vector3d(1, 1, sign).asDiagonal() * V.transpose();
  if (!turns_over(R, truth, estimate)) return R;
  return U * Eigen::Vector3d(1, -1, -sign).asDiagonal() * V.transpose();
}

// About the means, because positions in metres of a map projection are millions and would cost digits.
double rigid_error(const Trajectory& truth, const Trajectory& estimate) {
  Eigen::Matrix3Xd wanted = positions(truth), found = positions(estimate);
  wanted.colwise() -= wanted.rowwise().mean().eval();
  found.colwise() -= found.rowwise().mean().eval();
  const Eigen::Matrix3d R = best_rotation(truth, estimate, wanted * found.transpose());
  return std::sqrt((wanted - R * found).colwise().squaredNorm().mean());
}

double first_pose_error(const Trajectory& truth, const Trajectory& estimate) {
  const Eigen::Isometry3d wanted = truth.T_world.front().inverse(Eigen::Affine);
  const Eigen::Isometry3d found = estimate.T_world.front().inverse(Eigen::Affine);
  double sum = 0;
  for (std::size_t i = 0; i < truth.size(); ++i)
    sum +=
        (wanted * truth.T_world[i].translation() - found * estimate.T_world[i].translation()).squaredNorm();
  return std::sqrt(sum / static_cast<double>(truth.size()));
}

}  // namespace

double absolute_trajectory_error(const Trajectory& truth, const Trajectory& estimate, Alignment alignment) {
  if (truth.size() != estimate.size() || truth.size() == 0)
    throw Error(fmt::format(
        "absolute error: {} poses of the ground truth and {} of the estimate; associate them first",
        truth.size(), estimate.size()));
  return alignment == Alignment::rigid ? rigid_error(truth, estimate) : first_pose_error(truth, estimate);
}

}  // namespace fmbym
