#include "app/sequence_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/interrupt.hpp"
#include "app/progress.hpp"
#include "app/run_report.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/stopwatch.hpp"
#include "fmbym/datasets/prefetch.hpp"

namespace fmbym::app {
namespace {

// Keeps pictures of a few scans of a run, evenly spread.
class Sampler {
 public:
  explicit Sampler(std::size_t scans) : samples_(sample_scans(scans)) {}

  // After each scan; `place` is its number among those chosen, bad ones included. Scans without a match are
  // left out.
  void observe(std::size_t place, const Odometry& odometry, SequenceRun& run) {
    if (run.scans.size() < 2 || !std::binary_search(samples_.begin(), samples_.end(), place)) return;
    Stopwatch watch;
    run.frames.push_back(report_frame(run.scans.size() - 1, odometry, run.scans.back().registration.match));
    ms_ += watch.lap_ms();
  }
  double ms() const { return ms_; }

 private:
  std::vector<std::size_t> samples_;
  double ms_ = 0;
};

}  // namespace

SequenceRun run_sequence(const Dataset& dataset, const std::vector<std::size_t>& indices,
                         const OdometryConfig& config, const RunOptions& options) {
  watch_for_interrupt();
  Stopwatch watch;
  SequenceRun run;
  Odometry odometry(config);
  Progress progress(indices.size(), "scans");
  Sampler sampler(options.sample_frames ? indices.size() : 0);
  std::size_t place = 0;
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
      sampler.observe(place, odometry, run);
    }
    ++place;
    progress.advance();
    if (interrupted()) {
      run.interrupted = true;
      break;
    }
  }
  run.seconds = (watch.lap_ms() - sampler.ms()) / 1000;
  return run;
}

}  // namespace fmbym::app
