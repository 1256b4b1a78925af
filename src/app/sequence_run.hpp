// Odometry over a sequence on disk: reads, decodes ahead, registers, keeps what came of each scan.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fmbym/datasets/dataset.hpp"
#include "fmbym/odometry/odometry.hpp"
#include "fmbym/report/html_report.hpp"

namespace fmbym::app {

struct ScanRecord {
  std::size_t index = 0;  // in the data set
  Registration registration;
  double decode_ms = 0;
  int filled_rows = 0;  // azimuths that were invalid
};

struct SequenceRun {
  std::vector<ScanRecord> scans;
  std::vector<std::string> skipped;  // why each bad scan was left out
  double seconds = 0;                // wall-clock time of the whole
  bool interrupted = false;
  std::vector<ReportFrame> frames;  // samples for a report, if they were asked for
};

struct RunOptions {
  bool skip_bad = false;       // leave out scans that can't be read instead of stopping
  bool sample_frames = false;  // keep pictures of a few scans; the time that takes is not counted
};

// Throws Error at the first scan that can't be read, unless skip_bad. Stops early, with what there is, on
// Ctrl-C.
SequenceRun run_sequence(const Dataset& dataset, const std::vector<std::size_t>& indices,
                         const OdometryConfig& config, const RunOptions& options);

}  // namespace fmbym::app
