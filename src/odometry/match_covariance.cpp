#include "odometry/match_covariance.hpp"

#include <Eigen/Dense>

namespace fmbym {
namespace {

using Matrix = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

Matrix matrix(const Covariance3& c) {
  return Eigen::Map<const Matrix>(c.front().data());
}

Covariance3 covariance(const Matrix& m) {
  Covariance3 c;
  Eigen::Map<Matrix>(c.front().data()) = m;
  return c;
}

// From the errors of train-a and train-b: docs/results.md, "Covariance".
constexpr double kSpread = 0.02;  // [coefficient] by which a true peak may be missed
constexpr double kAlong = 0.03, kAcross = 0.011, kYaw = 0.00055;  // [m, m, rad] a metre of motion

}  // namespace

Covariance3 match_covariance(const Refined& refined) {
  Matrix curvature = matrix(refined.curvature);
  curvature.diagonal() += Eigen::Vector3d(1e-3, 1e-3, 1e-1);
  return covariance(kSpread * kSpread * curvature.inverse());
}

Covariance3 motion_covariance(const Covariance3& match, double yaw, double distance) {
  Matrix turn = Matrix::Identity();
  turn.topLeftCorner<2, 2>() = Eigen::Rotation2Dd(yaw).toRotationMatrix();
  const Eigen::Vector3d moved = distance * Eigen::Vector3d(kAlong, kAcross, kYaw);
  Matrix sum = turn * matrix(match) * turn.transpose();
  sum.diagonal() += moved.cwiseAbs2();
  return covariance(sum);
}

}  // namespace fmbym
