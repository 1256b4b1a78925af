// fmbym demo: the whole system at work on a simulated drive, without any data: both methods, their scores,
// and a report to look at.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "app/command.hpp"
#include "app/held_drive.hpp"
#include "app/interrupt.hpp"
#include "app/model_choice.hpp"
#include "app/note.hpp"
#include "app/options.hpp"
#include "app/results.hpp"
#include "app/run_report.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/stopwatch.hpp"

namespace fmbym::app {
namespace {

namespace fs = std::filesystem;

constexpr int kMostScans = 10000;  // 1.7 GB

struct DemoOptions {
  std::string style = "urban";
  SimulatorConfig drive;
  std::string preset = "default";
  int resolution = 255;
  int threads = MethodOptions::default_threads();
  fs::path model;  // none: the one that learnt from simulated drives
  fs::path output = "out/demo";
  fs::path report;
  bool json = false;
};

struct DemoRun {
  Setup setup;
  SequenceRun scans;
  std::optional<Score> score;
  Json config, summary;
};

Setup set_up(const DemoOptions& options, const std::string& method) {
  MethodOptions chosen;
  chosen.method = method;
  chosen.preset = options.preset;
  chosen.resolution = options.resolution;
  chosen.threads = options.threads;
  ModelOptions model;
  if (uses_masks(parse_method(method))) model.file = options.model;
  model.trained_on = "simulated";
  return set_up(chosen, model);
}

DemoRun run_method(Setup setup, const HeldDrive& drive) {
  const auto indices = ScanChoice{}.indices(drive, "the simulated drive");
  note("{} at {}\n", to_string(setup.config.method), setup.config.imaging.size);
  DemoRun run{std::move(setup), {}, {}, {}, {}};
  run.scans = run_sequence(drive, indices, run.setup.config, {.skip_bad = false, .sample_frames = true});
  run.score = score(run.scans, drive);
  run.config = config_json(run.setup, drive);
  run.summary = summary_json(run.scans, run.setup, run.score, 0);
  return run;
}

void write_report(const DemoOptions& options, const std::vector<DemoRun>& runs, const Dataset& drive) {
  Report report =
      begin_report(fmt::format("a simulated drive, {}, seed {}", options.style, options.drive.seed));
  report.truth = truth_of(runs.front().scans, drive);
  for (const DemoRun& run : runs) {
    report.runs.push_back(report_run(run.scans, run.config, run.summary));
    report.runs.back().name = to_string(run.setup.config.method);  // the rest is the same for both
  }
  write_html_report(options.report, report);
}

void print_scores(const DemoOptions& options, const std::vector<DemoRun>& runs) {
  const auto& first = runs.front().summary;
  fmt::print("{:.0f} m through a made-up town ({}, seed {}), {} scans, {} preset, {} pixels a side\n",
             first["distance_m"].get<double>(), options.style, options.drive.seed, first["scans"].get<int>(),
             options.preset, options.resolution);
  for (const DemoRun& run : runs)
    fmt::print("  {:7} {}; {:.0f} scans/s\n", run.summary["method"].get<std::string>(),
               kitti_text(run.score->kitti), run.summary["hz"].get<double>());
  fmt::print("  results in {}\n", options.output.string());
  fmt::print("  report in {}: open it in a browser\n", options.report.string());
}

void print_json(const DemoOptions& options, const std::vector<DemoRun>& runs, double rendered) {
  Json summaries = Json::array();
  for (const DemoRun& run : runs) summaries.push_back(run.summary);
  fmt::print("{}\n", Json{{"style", options.style},
                          {"seed", options.drive.seed},
                          {"simulated_scans_per_s", rendered},
                          {"runs", summaries},
                          {"report", options.report.string()}}
                         .dump(2));
}

int run_demo(DemoOptions options) {
  options.drive.style = parse_town_style(options.style);
  options.drive.reduced = true;  // an eighth of the memory, and all that the images show
  options.drive.validate();
  if (options.drive.scans > kMostScans)
    throw Error(
        fmt::format("--scans {}: the demo holds its drive in memory and takes up to {}; for a longer one use "
                    "fmbym simulate and fmbym odometry",
                    options.drive.scans, kMostScans));
  if (options.report.empty()) options.report = options.output / "report.html";
  std::vector<Setup> setups = {set_up(options, "f-raw"), set_up(options, "f-mbym")};
  watch_for_interrupt();
  make_output_folder(options.output);
  check_report(options.report);

  note("simulating a drive\n");
  Stopwatch watch;
  const HeldDrive drive(options.drive, options.threads);
  const double rendered = static_cast<double>(drive.size()) / (watch.lap_ms() / 1000);
  std::vector<DemoRun> runs;
  for (Setup& setup : setups)
    if (!interrupted()) runs.push_back(run_method(std::move(setup), drive));
  if (interrupted()) {
    note("interrupted: nothing was written\n");
    return kInterrupted;
  }
  for (const DemoRun& run : runs)
    write_results(make_output_folder(options.output / to_string(run.setup.config.method)), run.scans,
                  run.config, run.summary);
  write_report(options, runs, drive);
  if (options.json)
    print_json(options, runs, rendered);
  else
    print_scores(options, runs);
  return kDone;
}

}  // namespace

void add_demo_command(CLI::App& program, Run& run) {
  auto options = std::make_shared<DemoOptions>();
  options->drive.scans = 560;
  CLI::App* command = program.add_subcommand(
      "demo", "Simulate a drive, run both methods on it, print their scores and write a report");
  command->add_option("--style", options->style, "Of the town: urban, suburban, highway or park")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--seed", options->drive.seed, "Another number, another town and drive")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--scans", options->drive.scans, "Length of the drive, four a second")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--preset", options->preset,
                   "default (the best known settings) or paper (Algorithm 1, scan to scan)")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--resolution", options->resolution, "Pixels a side of the square of 102 m")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--model", options->model,
                   "Weights for f-mbym [those that come with the program and learnt from simulated drives]")
      ->type_name("FILE");
  add_threads_option(*command, options->threads);
  command->add_option("--output", options->output, "Folder for the results")
      ->type_name("DIR")
      ->capture_default_str();
  add_report_option(*command, options->report);
  add_json_option(*command, options->json);
  command->callback([options, &run] { run = [options] { return run_demo(*options); }; });
}

}  // namespace fmbym::app
