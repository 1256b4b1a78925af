// fmbym odometry SEQUENCE: a sequence of scans in, a scored trajectory out.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "app/command.hpp"
#include "app/model_choice.hpp"
#include "app/note.hpp"
#include "app/options.hpp"
#include "app/results.hpp"
#include "app/run_report.hpp"
#include "app/sequence_run.hpp"
#include "fmbym/core/error.hpp"

namespace fmbym::app {
namespace {

namespace fs = std::filesystem;

struct OdometryOptions {
  fs::path sequence;
  MethodOptions method;
  ModelOptions model;
  CalibrationOverride sensor;
  ScanChoice scans;
  fs::path output, report;
  bool skip_bad = false;
  bool json = false;
};

fs::path output_of(const OdometryOptions& options) {
  const fs::path name = fs::weakly_canonical(options.sequence).filename();
  return options.output.empty() ? fs::path("out") / name : options.output;
}

// Gaps within the chosen scans; says where they are.
std::size_t report_gaps(const Dataset& dataset, const std::vector<std::size_t>& indices) {
  std::size_t gaps = 0;
  for (const std::size_t i : time_gaps(dataset)) {
    if (i <= indices.front() || i > indices.back()) continue;
    if (++gaps > 5) continue;
    const double seconds = static_cast<double>(dataset.timestamp_us(i) - dataset.timestamp_us(i - 1)) * 1e-6;
    note("note: {:.2f} s without a scan before {}\n", seconds, dataset.file(i).filename().string());
  }
  if (gaps > 5) note("note: and {} more such gaps\n", gaps - 5);
  return gaps;
}

// Where the scans did not match and the motion was predicted, and where it was found again.
void report_bridges(const SequenceRun& run, const Dataset& dataset) {
  constexpr std::size_t most = 5;
  std::size_t bridges = 0;
  for (std::size_t i = 0; i < run.scans.size(); ++i) {
    const std::size_t first = i;
    while (i < run.scans.size() && run.scans[i].registration.bridged) ++i;
    if (i == first || ++bridges > most) continue;
    const auto name = [&](std::size_t scan) {
      return dataset.file(run.scans[scan].index).filename().string();
    };
    note("note: {} scans from {} on did not match and were bridged by prediction; {}\n", i - first,
         name(first), i < run.scans.size() ? "recovered at " + name(i) : "not recovered by the end");
  }
  if (bridges > most) note("note: and {} more such bridges\n", bridges - most);
}

void print_summary(const Json& summary, const std::optional<Score>& score, const OdometryOptions& options,
                   const fs::path& output) {
  const Json& ms = summary["timing_ms"];
  fmt::print("{} at {}, {} preset: {} scans, {:.1f} m\n", summary["method"].get<std::string>(),
             summary["resolution"].get<int>(), summary["preset"].get<std::string>(),
             summary["scans"].get<int>(), summary["distance_m"].get<double>());
  if (score) {
    fmt::print("  KITTI   {}\n", kitti_text(score->kitti));
    fmt::print("  ATE     {:.3f} m\n", score->ate_m);
  } else {
    fmt::print("  no ground truth, so no score\n");
  }
  const std::string masks =
      summary["model_sha256"].is_null() ? "" : fmt::format("mask {:.2f}, ", ms["mask"].get<double>());
  fmt::print(
      "  speed   {:.0f} scans/s with {} threads; decode {:.2f}, image {:.2f}, {}match {:.2f} ms a scan; "
      "{:.0f} MB\n",
      summary["hz"].get<double>(), summary["threads"].get<int>(), ms["decode"].get<double>(),
      ms["image"].get<double>(), masks, ms["match"].get<double>(), summary["peak_rss_mb"].get<double>());
  if (const int bridged = summary["bridged"]; bridged > 0)
    fmt::print("  beware  {} scans were not matched and bridged by prediction; increments.csv marks them\n",
               bridged);
  else if (const int unreliable = summary["unreliable"]; unreliable > 0)
    fmt::print("  beware  {} increments are unreliable; increments.csv marks them\n", unreliable);
  fmt::print("  results in {}\n", output.string());
  if (!options.report.empty()) fmt::print("  report in {}\n", options.report.string());
}

void write_report(const OdometryOptions& options, const SequenceRun& run, const Dataset& dataset,
                  const Json& config, const Json& summary) {
  if (options.report.empty()) return;
  Report report = begin_report(fs::weakly_canonical(options.sequence).filename().string());
  report.truth = truth_of(run, dataset);
  report.runs.push_back(report_run(run, config, summary));
  write_html_report(options.report, report);
}

int run_odometry(const OdometryOptions& options) {
  const Setup setup = set_up(options.method, options.model);
  const auto dataset = open_dataset(options.sequence, options.sensor);
  const auto indices = options.scans.indices(*dataset, options.sequence);
  const fs::path output = make_output_folder(output_of(options));  // before the work, not after
  check_report(options.report);
  for (const std::string& remark : dataset->remarks()) note("note: {}\n", remark);
  const std::size_t gaps = report_gaps(*dataset, indices);

  const SequenceRun run =
      run_sequence(*dataset, indices, setup.config,
                   {.skip_bad = options.skip_bad, .sample_frames = !options.report.empty()});
  for (const std::string& reason : run.skipped) note("skipped: {}\n", reason);
  report_bridges(run, *dataset);
  if (run.scans.size() < 2 && run.interrupted) {
    note("interrupted before there was any motion; nothing was written\n");
    return kInterrupted;
  }
  if (run.scans.size() < 2)
    throw Error(fmt::format("{}: only {} of {} scans could be used, two are needed",
                            options.sequence.string(), run.scans.size(), indices.size()));

  const auto scored = score(run, *dataset);
  const Json summary = summary_json(run, setup, scored, gaps);
  const Json config = config_json(setup, *dataset);
  write_results(output, run, config, summary);
  write_report(options, run, *dataset, config, summary);
  if (options.json)
    fmt::print("{}\n", summary.dump(2));
  else
    print_summary(summary, scored, options, output);
  if (!run.interrupted) return kDone;
  note("interrupted: the results are of the first {} of {} scans\n", run.scans.size(), indices.size());
  return kInterrupted;
}

}  // namespace

void add_odometry_command(CLI::App& program, Run& run) {
  auto options = std::make_shared<OdometryOptions>();
  CLI::App* command = program.add_subcommand(
      "odometry", "Run a sequence: trajectory, timings, score where there is ground truth");
  command->add_option("sequence", options->sequence, "Folder of the sequence (Oxford layout)")
      ->required()
      ->type_name("SEQUENCE");
  add_method_options(*command, options->method);
  add_model_options(*command, options->model);
  add_sensor_options(*command, options->sensor);
  add_scan_options(*command, options->scans);
  command->add_option("--output", options->output, "Folder for the results [out/<name of the sequence>]")
      ->type_name("DIR");
  add_report_option(*command, options->report);
  add_skip_bad_option(*command, options->skip_bad);
  add_json_option(*command, options->json);
  command->callback([options, &run] { run = [options] { return run_odometry(*options); }; });
}

}  // namespace fmbym::app
