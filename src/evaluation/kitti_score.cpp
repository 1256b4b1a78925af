#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "fmbym/core/error.hpp"
#include "fmbym/evaluation/metrics.hpp"

namespace fmbym {
namespace {

constexpr int kShortest = 100, kLongest = 800, kLengthStep = 100;  // segments [m]

// Distance travelled up to each pose [m].
std::vector<double> distances(const Trajectory& trajectory) {
  std::vector<double> distance(trajectory.size());
  for (std::size_t i = 1; i < distance.size(); ++i)
    distance[i] = distance[i - 1] +
                  (trajectory.T_world[i].translation() - trajectory.T_world[i - 1].translation()).norm();
  return distance;
}

// A true inverse, not a transpose: rows rounded in a file then still give exactly no motion from a pose to
// itself.
Eigen::Isometry3d motion(const Eigen::Isometry3d& T_world_from, const Eigen::Isometry3d& T_world_to) {
  return T_world_from.inverse(Eigen::Affine) * T_world_to;
}

// [rad]
double angle(const Eigen::Matrix3d& R, AngleFormula formula) {
  const double cosine = (R.trace() - 1) / 2;
  if (formula == AngleFormula::acos) return std::acos(std::clamp(cosine, -1.0, 1.0));
  const Eigen::Vector3d axis(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));  // of length 2·sine
  return std::atan2(axis.norm() / 2, cosine);
}

void add(KittiScore::Error& sum, const SegmentError& segment) {
  sum.translation_percent += segment.translation_percent;
  sum.rotation_deg_per_km += segment.rotation_deg_per_km;
  ++sum.segments;
}

void divide_by_segments(KittiScore::Error& sum) {
  sum.translation_percent /= static_cast<double>(sum.segments);
  sum.rotation_deg_per_km /= static_cast<double>(sum.segments);
}

void check(const Trajectory& truth, const Trajectory& estimate, const KittiOptions& options) {
  if (truth.size() != estimate.size())
    throw Error(
        fmt::format("KITTI score: {} poses of the ground truth and {} of the estimate; associate them first",
                    truth.size(), estimate.size()));
  if (options.step < 1)
    throw Error(
        fmt::format("KITTI score: a step of {} frames between segments; give 1 or more", options.step));
}

}  // namespace

std::vector<SegmentError> segment_errors(const Trajectory& truth, const Trajectory& estimate,
                                         const KittiOptions& options) {
  check(truth, estimate, options);
  const std::vector<double> distance = distances(truth);
  std::vector<SegmentError> segments;
  for (std::size_t first = 0; first < truth.size(); first += static_cast<std::size_t>(options.step)) {
    for (int length = kShortest; length <= kLongest; length += kLengthStep) {
      const auto end = std::upper_bound(distance.begin(), distance.end(), distance[first] + length);
      if (end == distance.end()) break;
      const auto last = static_cast<std::size_t>(end - distance.begin());
      const Eigen::Isometry3d error = motion(motion(estimate.T_world[first], estimate.T_world[last]),
                                             motion(truth.T_world[first], truth.T_world[last]));
      segments.push_back({first, distance[first], length, 100 * error.translation().norm() / length,
                          1000 * angle(error.linear(), options.angle) * 180 / std::numbers::pi / length});
    }
  }
  return segments;
}

std::optional<KittiScore> kitti_score(const Trajectory& truth, const Trajectory& estimate,
                                      const KittiOptions& options) {
  KittiScore score;
  for (const SegmentError& segment : segment_errors(truth, estimate, options)) {
    add(score.mean, segment);
    add(score.by_length[segment.length_m], segment);
  }
  if (score.mean.segments == 0) return std::nullopt;
  divide_by_segments(score.mean);
  for (auto& [length, error] : score.by_length) divide_by_segments(error);
  return score;
}

double path_length(const Trajectory& trajectory) {
  return trajectory.size() == 0 ? 0 : distances(trajectory).back();
}

}  // namespace fmbym
