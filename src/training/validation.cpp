#include "training/validation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fmbym/core/error.hpp"
#include "fmbym/datasets/prefetch.hpp"
#include "fmbym/evaluation/metrics.hpp"
#include "fmbym/odometry/odometry.hpp"

namespace fmbym::training {
namespace {

struct Drive {
  Trajectory truth, estimate;    // of the scans with ground truth
  double x = 0, y = 0, yaw = 0;  // sums of absolute errors from scan to scan
  std::size_t motions = 0;
};

Drive drive(const Dataset& dataset, const OdometryConfig& config) {
  Drive result;
  Odometry odometry(config);
  ScanPrefetcher scans(dataset, all_scans(dataset));
  const auto& T_world = dataset.ground_truth();
  while (auto fetched = scans.next()) {
    const std::size_t i = fetched->index;
    const Registration found = odometry.register_scan(fetched->scan());
    if (!T_world[i]) continue;
    result.truth.T_world.push_back(to_spatial(*T_world[i]));
    result.estimate.T_world.push_back(to_spatial(found.T_world_curr));
    if (i == 0 || !T_world[i - 1]) continue;
    const SE2 motion = T_world[i - 1]->inverse() * *T_world[i];
    result.x += std::abs(found.T_prev_curr.x - motion.x);
    result.y += std::abs(found.T_prev_curr.y - motion.y);
    result.yaw += std::abs(wrap_angle(found.T_prev_curr.yaw - motion.yaw));
    ++result.motions;
  }
  return result;
}

// Where the path is too short for segments of 100 m, all of it is one.
KittiScore::Error drift(const Drive& drive) {
  if (const auto score = kitti_score(drive.truth, drive.estimate)) return score->mean;
  const auto whole = [](const Trajectory& t) {
    return to_planar(t.T_world.front()).inverse() * to_planar(t.T_world.back());
  };
  const SE2 error = whole(drive.estimate).inverse() * whole(drive.truth);
  const double length = std::max(path_length(drive.truth), 1.0);
  return {100 * std::hypot(error.x, error.y) / length,
          1000 * std::abs(error.yaw) * 180 / std::numbers::pi / length, 1};
}

}  // namespace

ValidationReport validate(const Datasets& sequences, OdometryConfig config, const MaskModel& model) {
  set_model(config, std::make_shared<MaskModel>(model));
  ValidationReport report;
  Drive all;
  for (const auto& sequence : sequences) {
    const Drive driven = drive(*sequence, config);
    const KittiScore::Error error = drift(driven);
    report.translation_percent += error.translation_percent / double(sequences.size());
    report.rotation_deg_per_km += error.rotation_deg_per_km / double(sequences.size());
    all.x += driven.x;
    all.y += driven.y;
    all.yaw += driven.yaw;
    all.motions += driven.motions;
  }
  const double motions = std::max<double>(1, double(all.motions));
  report.x = all.x / motions;
  report.y = all.y / motions;
  report.yaw = all.yaw / motions;
  return report;
}

}  // namespace fmbym::training
