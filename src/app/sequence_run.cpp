#include "app/sequence_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/interrupt.hpp"
#include "app/progress.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/stopwatch.hpp"
#include "fmbym/datasets/prefetch.hpp"

namespace fmbym::app {

SequenceRun run_sequence(const Dataset& dataset, const std::vector<std::size_t>& indices,
                         const OdometryConfig& config, const RunOptions& options) {
  watch_for_interrupt();
  Stopwatch watch;
  SequenceRun run;
  Odometry odometry(config);
  Progress progress(indices.size(), "scans");
  ScanPrefetcher scans(dataset, indices, config.threads > 1 ? 2 : 0);
  while (auto fetched = scans.next()) {
    if (fetched->error() && options.skip_bad) {
      run.skipped.emplace_back(fetched->error()->what());
    } else if (fetched->error()) {
      throw Error(fmt::format("{}; --skip-bad leaves such scans out", fetched->error()->what()));
    } else {
      const PolarScan& scan = fetched->scan();
      const auto filled = std::count(scan.valid.begin(), scan.valid.end(), 0);
      run.scans.push_back(
          {fetched->index, odometry.register_scan(scan), fetched->decode_ms, static_cast<int>(filled)});
    }
    progress.advance();
    if (interrupted()) {
      run.interrupted = true;
      break;
    }
  }
  run.seconds = watch.lap_ms() / 1000;
  return run;
}

}  // namespace fmbym::app
