// Least squares with two unknowns that a few bad observations can't ruin.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace fmbym {

// Up to two equations, design · unknowns = observed, that are good or bad together.
struct Observation {
  Eigen::Matrix2d design;
  Eigen::Vector2d observed;
};

// Huber's estimate: observations further off than 1.345 standard deviations count less the further off they
// are. The standard deviation comes from the median residual. `prior` is added to the normal equations'
// diagonal in units of the residuals' variance: how sure it is beforehand that an unknown is near 0.
Eigen::Vector2d robust_fit(const std::vector<Observation>& observations,
                           const Eigen::Vector2d& prior = Eigen::Vector2d::Zero());

}  // namespace fmbym
