#include "report/run_series.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "fmbym/core/error.hpp"

namespace fmbym::report {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

Eigen::Isometry3d motion(const Eigen::Isometry3d& T_world_from, const Eigen::Isometry3d& T_world_to) {
  return T_world_from.inverse(Eigen::Affine) * T_world_to;
}

// Poses of a trajectory with partners in the ground truth.
struct Partners {
  std::vector<std::size_t> pose, truth;

  std::size_t size() const { return pose.size(); }
};

// Which of `all` the chosen ones are; both in order of time.
std::vector<std::size_t> places(const std::vector<std::int64_t>& chosen,
                                const std::vector<std::int64_t>& all) {
  std::vector<std::size_t> found;
  std::size_t next = 0;
  for (const std::int64_t time : chosen) {
    while (all[next] != time) ++next;
    found.push_back(next);
  }
  return found;
}

Partners partners_of(const AssociatedPair& pair, const Trajectory& truth, const Trajectory& estimate) {
  if (truth.timed() && estimate.timed())
    return {places(pair.estimate.time_ns, estimate.time_ns), places(pair.truth.time_ns, truth.time_ns)};
  Partners all;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    all.pose.push_back(i);
    all.truth.push_back(i);
  }
  return all;
}

// Times of poses for the plots, in seconds since the earliest; numbers of scans where there are no times.
class Clock {
 public:
  explicit Clock(const Report& report) : timed_(report.truth.size() == 0 || report.truth.timed()) {
    for (const ReportRun& run : report.runs) timed_ = timed_ && run.estimate.timed();
    if (!timed_) return;
    begin_ns_ = report.runs.front().estimate.time_ns.front();
    for (const ReportRun& run : report.runs) begin_ns_ = std::min(begin_ns_, run.estimate.time_ns.front());
  }

  bool timed() const { return timed_; }
  double operator()(const Trajectory& trajectory, std::size_t pose) const {
    return timed_ ? static_cast<double>(trajectory.time_ns[pose] - begin_ns_) * 1e-9
                  : static_cast<double>(pose);
  }

 private:
  bool timed_;
  std::int64_t begin_ns_ = 0;
};

PathSeries path_of(const Trajectory& trajectory, const std::vector<std::size_t>& poses, const Clock& clock,
                   const Eigen::Isometry3d& T_page_world) {
  PathSeries path;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Eigen::Isometry3d& T_world = trajectory.T_world[poses[i]];
    const Eigen::Vector3d place = T_page_world * T_world.translation();
    path.t.push_back(clock(trajectory, poses[i]));
    path.x.push_back(place.x());
    path.y.push_back(place.y());
    const double seconds = i > 0 ? path.t[i] - path.t[i - 1] : 0;
    const bool moved = seconds > 0;
    const auto since =
        moved ? motion(trajectory.T_world[poses[i - 1]], T_world) : Eigen::Isometry3d::Identity();
    path.speed.push_back(moved ? since.translation().norm() / seconds : kUnknown);
    path.yaw_rate.push_back(moved ? to_planar(since).yaw * kDegrees / seconds : kUnknown);
  }
  return path;
}

Eigen::Matrix3d matrix(const Covariance3& covariance) {
  Eigen::Matrix3d m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      m(i, j) = covariance[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return m;
}

// Nothing for a run whose covariances are not known, or not of motions that have a true one.
std::optional<NormalisedErrors> normalised_errors(const ReportRun& run, const Trajectory& truth,
                                                  const Partners& partners) {
  if (run.scans.empty()) return std::nullopt;
  NormalisedErrors result;
  for (auto& axis : result.error) axis.assign(run.estimate.size(), kUnknown);
  double squares = 0;
  for (std::size_t i = 1; i < partners.size(); ++i) {
    const std::size_t pose = partners.pose[i], before = partners.pose[i - 1];
    if (pose != before + 1) continue;  // the covariance is of the motion from one scan to the next
    const SE2 found = to_planar(motion(run.estimate.T_world[before], run.estimate.T_world[pose]));
    const SE2 wanted =
        to_planar(motion(truth.T_world[partners.truth[i - 1]], truth.T_world[partners.truth[i]]));
    const Eigen::Vector3d error(found.x - wanted.x, found.y - wanted.y, wrap_angle(found.yaw - wanted.yaw));
    const Eigen::Matrix3d covariance = matrix(run.scans[pose].match.covariance);
    const Eigen::LLT<Eigen::Matrix3d> factor(covariance);
    if (factor.info() != Eigen::Success || !covariance.allFinite()) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<Eigen::Index>(axis);
      const double normalised = error(k) / std::sqrt(covariance(k, k));
      result.error[axis][pose] = normalised;
      for (std::size_t sigmas = 0; sigmas < 3; ++sigmas)
        result.within[axis][sigmas] += std::abs(normalised) <= static_cast<double>(sigmas + 1) ? 1 : 0;
    }
    squares += error.dot(factor.solve(error)) / 3;
    ++result.count;
  }
  if (result.count == 0) return std::nullopt;
  for (auto& axis : result.within)
    for (double& share : axis) share /= static_cast<double>(result.count);
  result.mean_square = squares / static_cast<double>(result.count);
  return result;
}

std::optional<SegmentSeries> segments_along(const AssociatedPair& pair, const KittiOptions& options,
                                            const std::vector<double>& times) {
  constexpr int length = 100;
  SegmentSeries series;
  for (const SegmentError& segment : segment_errors(pair.truth, pair.estimate, options)) {
    if (segment.length_m != length) continue;
    series.t.push_back(times[segment.first]);
    series.start_m.push_back(segment.start_m);
    series.translation_percent.push_back(segment.translation_percent);
    series.rotation_deg_per_km.push_back(segment.rotation_deg_per_km);
  }
  if (series.t.empty()) return std::nullopt;
  return series;
}

std::vector<std::size_t> count_to(std::size_t size) {
  std::vector<std::size_t> indices(size);
  for (std::size_t i = 0; i < size; ++i) indices[i] = i;
  return indices;
}

void check(const ReportRun& run) {
  if (run.estimate.size() == 0) throw Error(fmt::format("report: the run {} has no pose", run.name));
  if (!run.scans.empty() && run.scans.size() != run.estimate.size())
    throw Error(fmt::format("report: the run {} has {} poses and {} scans; give one scan a pose, or none",
                            run.name, run.estimate.size(), run.scans.size()));
}

RunSeries without_truth(const ReportRun& run, const Clock& clock) {
  RunSeries series;
  series.path = path_of(run.estimate, count_to(run.estimate.size()), clock,
                        run.estimate.T_world.front().inverse(Eigen::Affine));
  return series;
}

RunSeries with_truth(const ReportRun& run, const Report& report, const Clock& clock,
                     const AssociatedPair& pair, const Partners& partners) {
  const Trajectory& truth = report.truth;
  const Eigen::Isometry3d T_page_truth = truth.T_world.front().inverse(Eigen::Affine);
  const Eigen::Isometry3d T_truth_world =  // the first common poses coincide
      pair.truth.T_world.front() * pair.estimate.T_world.front().inverse(Eigen::Affine);
  RunSeries series;
  series.path = path_of(run.estimate, count_to(run.estimate.size()), clock, T_page_truth * T_truth_world);
  series.error_m.assign(run.estimate.size(), kUnknown);
  series.yaw_error_deg = series.error_m;
  std::vector<double> times;
  for (std::size_t i = 0; i < partners.size(); ++i) {
    const Eigen::Isometry3d error = motion(pair.truth.T_world[i], T_truth_world * pair.estimate.T_world[i]);
    series.error_m[partners.pose[i]] = error.translation().norm();
    series.yaw_error_deg[partners.pose[i]] = to_planar(error).yaw * kDegrees;
    times.push_back(series.path.t[partners.pose[i]]);
  }
  series.normalised = normalised_errors(run, truth, partners);
  series.segments = segments_along(pair, report.kitti, times);
  series.kitti = kitti_score(pair.truth, pair.estimate, report.kitti);
  series.ate_m = absolute_trajectory_error(pair.truth, pair.estimate);
  return series;
}

}  // namespace

ReportSeries series_of(const Report& report) {
  if (report.runs.empty()) throw Error("report: there is no run to report");
  for (const ReportRun& run : report.runs) check(run);
  const Clock clock(report);
  ReportSeries series;
  series.timed = clock.timed();
  if (report.truth.size() == 0) {
    for (const ReportRun& run : report.runs) series.runs.push_back(without_truth(run, clock));
    return series;
  }
  std::vector<std::size_t> wanted;  // true poses
  for (const ReportRun& run : report.runs) {
    const AssociatedPair pair = associate(report.truth, run.estimate);
    const Partners partners = partners_of(pair, report.truth, run.estimate);
    wanted.insert(wanted.end(), partners.truth.begin(), partners.truth.end());
    series.runs.push_back(with_truth(run, report, clock, pair, partners));
  }
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  series.truth = path_of(report.truth, wanted, clock, report.truth.T_world.front().inverse(Eigen::Affine));
  return series;
}

}  // namespace fmbym::report
