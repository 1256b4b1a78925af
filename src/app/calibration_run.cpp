#include "app/calibration_run.hpp"

#include <algorithm>
#include <optional>

namespace fmbym::app {
namespace {

// `truth(run, scan)` is a pose, or nothing: the path is cut there.
template <class Truth>
std::vector<DrivenPath> paths_with(const std::vector<SequenceRun>& runs, const Truth& truth) {
  std::vector<DrivenPath> paths;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    paths.emplace_back();
    for (std::size_t scan = 0; scan < runs[run].scans.size(); ++scan) {
      const Registration& registration = runs[run].scans[scan].registration;
      const std::optional<SE2> T_world_true = truth(run, scan);
      if (!registration.match.reliable || !T_world_true) paths.emplace_back();
      if (!T_world_true) continue;
      paths.back().T_world_estimated.push_back(registration.T_world_curr);
      paths.back().T_world_true.push_back(*T_world_true);
    }
  }
  return paths;
}

}  // namespace

bool CalibrationSequence::has_truth() const {
  const auto& truth = dataset->ground_truth();
  const auto known = [&](std::size_t i) { return !truth.empty() && truth[i].has_value(); };
  return std::count_if(indices.begin(), indices.end(), known) >= 2;
}

std::vector<SequenceRun> run_all(const std::vector<CalibrationSequence>& sequences,
                                 const OdometryConfig& config, const RunOptions& options) {
  std::vector<SequenceRun> runs;
  for (const CalibrationSequence& sequence : sequences) {
    runs.push_back(run_sequence(*sequence.dataset, sequence.indices, config, options));
    if (runs.back().interrupted) break;
  }
  return runs;
}

std::vector<DrivenPath> paths_alone(const std::vector<SequenceRun>& runs) {
  auto paths = paths_with(runs, [](std::size_t, std::size_t) { return std::optional(SE2{}); });
  for (DrivenPath& path : paths) path.T_world_true.clear();
  return paths;
}

std::vector<DrivenPath> paths_with_truth(const std::vector<SequenceRun>& runs,
                                         const std::vector<CalibrationSequence>& sequences) {
  return paths_with(runs, [&](std::size_t run, std::size_t scan) {
    return sequences[run].dataset->ground_truth()[runs[run].scans[scan].index];
  });
}

std::vector<DrivenPath> paths_with_reference(const std::vector<SequenceRun>& runs,
                                             const std::vector<SequenceRun>& reference) {
  return paths_with(runs, [&](std::size_t run, std::size_t scan) {
    const Registration& other = reference[run].scans[scan].registration;
    return other.match.reliable ? std::optional(other.T_world_curr) : std::nullopt;
  });
}

}  // namespace fmbym::app
