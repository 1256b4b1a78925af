// Odometry over all sequences of a calibration, and what of it the fits are given.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "app/sequence_run.hpp"
#include "fmbym/calibration/motion_fit.hpp"

namespace fmbym::app {

struct CalibrationSequence {
  std::filesystem::path folder;
  std::unique_ptr<Dataset> dataset;
  std::vector<std::size_t> indices;  // of the scans to use

  bool has_truth() const;  // for two of the scans to use, at least
};

// A run a sequence; on Ctrl-C the last one is interrupted.
std::vector<SequenceRun> run_all(const std::vector<CalibrationSequence>& sequences,
                                 const OdometryConfig& config, const RunOptions& options);

// The runs, cut where a match is not reliable.
std::vector<DrivenPath> paths_alone(const std::vector<SequenceRun>& runs);

// Cut to where there is ground truth as well.
std::vector<DrivenPath> paths_with_truth(const std::vector<SequenceRun>& runs,
                                         const std::vector<CalibrationSequence>& sequences);

// With a second run over the same scans in the place of the truth.
std::vector<DrivenPath> paths_with_reference(const std::vector<SequenceRun>& runs,
                                             const std::vector<SequenceRun>& reference);

}  // namespace fmbym::app
