#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "fmbym/core/error.hpp"
#include "fmbym/evaluation/metrics.hpp"

namespace fmbym {
namespace {

struct Pair {
  std::size_t truth, estimate;
};

double seconds_between(std::int64_t a_ns, std::int64_t b_ns) {
  return static_cast<double>(std::abs(a_ns - b_ns)) * 1e-9;
}

// Walks both in order of time. Where two poses of the estimate are nearest to one of the truth, the nearer
// has it.
std::vector<Pair> pair_by_time(const Trajectory& truth, const Trajectory& estimate, double tolerance_s) {
  const auto apart = [&](const Pair& pair) {
    return seconds_between(truth.time_ns[pair.truth], estimate.time_ns[pair.estimate]);
  };
  std::vector<Pair> pairs;
  std::size_t nearest = 0;
  for (std::size_t i = 0; i < estimate.size(); ++i) {
    while (nearest + 1 < truth.size() && apart({nearest + 1, i}) <= apart({nearest, i})) ++nearest;
    const Pair pair{nearest, i};
    if (apart(pair) > tolerance_s) continue;
    if (pairs.empty() || pairs.back().truth != nearest) {
      pairs.push_back(pair);
    } else if (apart(pair) < apart(pairs.back())) {
      pairs.back() = pair;
    }
  }
  return pairs;
}

AssociatedPair select(const Trajectory& truth, const Trajectory& estimate, const std::vector<Pair>& pairs) {
  AssociatedPair result;
  for (const Pair& pair : pairs) {
    result.truth.time_ns.push_back(truth.time_ns[pair.truth]);
    result.truth.T_world.push_back(truth.T_world[pair.truth]);
    result.estimate.time_ns.push_back(estimate.time_ns[pair.estimate]);
    result.estimate.T_world.push_back(estimate.T_world[pair.estimate]);
  }
  result.dropped = estimate.size() - pairs.size();
  return result;
}

std::string span(const Trajectory& trajectory) {
  return fmt::format("{:.3f} s to {:.3f} s", static_cast<double>(trajectory.time_ns.front()) * 1e-9,
                     static_cast<double>(trajectory.time_ns.back()) * 1e-9);
}

AssociatedPair associate_by_time(const Trajectory& truth, const Trajectory& estimate, double tolerance_s) {
  if (!(tolerance_s >= 0))
    throw Error(fmt::format("a tolerance of {} s between times of poses; give 0 or more", tolerance_s));
  const auto pairs = pair_by_time(truth, estimate, tolerance_s);
  if (pairs.size() < 2)
    throw Error(
        fmt::format("{} of {} poses of the estimate ({}) lie within {} s of one of the ground truth ({}); "
                    "check that both are of one drive and use one clock",
                    pairs.size(), estimate.size(), span(estimate), tolerance_s, span(truth)));
  return select(truth, estimate, pairs);
}

AssociatedPair associate_by_index(const Trajectory& truth, const Trajectory& estimate) {
  if (truth.size() != estimate.size())
    throw Error(
        fmt::format("the ground truth has {} poses and the estimate {}; give both with times (TUM or Oxford "
                    "csv), or KITTI rows that correspond one to one",
                    truth.size(), estimate.size()));
  return {truth, estimate, 0};
}

}  // namespace

AssociatedPair associate(const Trajectory& truth, const Trajectory& estimate, double tolerance_s) {
  if (truth.size() < 2 || estimate.size() < 2)
    throw Error(
        fmt::format("the ground truth has {} poses and the estimate {}; two of each are the least to compare",
                    truth.size(), estimate.size()));
  const bool timed = truth.timed() && estimate.timed();
  return timed ? associate_by_time(truth, estimate, tolerance_s) : associate_by_index(truth, estimate);
}

}  // namespace fmbym
