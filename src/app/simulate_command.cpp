// fmbym simulate OUT: a drive through a made-up town, written as a sequence with ground truth.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "app/command.hpp"
#include "app/interrupt.hpp"
#include "app/json.hpp"
#include "app/note.hpp"
#include "app/options.hpp"
#include "app/progress.hpp"
#include "app/version.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/stopwatch.hpp"
#include "fmbym/datasets/oxford_writer.hpp"
#include "fmbym/datasets/prefetch.hpp"
#include "fmbym/datasets/simulator.hpp"

namespace fmbym::app {
namespace {

namespace fs = std::filesystem;

struct SimulateOptions {
  fs::path output;
  std::string style = "urban";
  SimulatorConfig config;
  int threads = MethodOptions::default_threads();
  bool json = false;
};

double length_of(const Dataset& dataset) {
  double metres = 0;
  const auto& truth = dataset.ground_truth();
  for (std::size_t i = 1; i < truth.size(); ++i)
    metres += std::hypot(truth[i]->x - truth[i - 1]->x, truth[i]->y - truth[i - 1]->y);
  return metres;
}

int run_simulate(SimulateOptions options) {
  options.config.style = parse_town_style(options.style);
  options.config.validate();
  const Simulator simulator(options.config);
  oxford::SequenceWriter writer(options.output, simulator.calibration());
  watch_for_interrupt();
  std::vector<std::size_t> indices(simulator.size());
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
  Stopwatch watch;
  {
    Progress progress(indices.size(), "scans");
    ScanPrefetcher scans(simulator, indices, options.threads > 1 ? 2 : 0);
    while (auto rendered = scans.next()) {
      writer.add(rendered->scan(), *simulator.ground_truth()[rendered->index]);
      progress.advance();
      if (interrupted()) {
        note("interrupted: nothing was written\n");
        return kInterrupted;
      }
    }
  }
  writer.finish(fmt::format("fmbym {} simulate", kVersion));

  const SensorCalibration& sensor = simulator.calibration();
  const double seconds = watch.lap_ms() / 1000, metres = length_of(simulator);
  if (options.json)
    fmt::print("{}\n", Json{{"output", options.output.string()},
                            {"style", options.style},
                            {"seed", options.config.seed},
                            {"scans", simulator.size()},
                            {"distance_m", metres},
                            {"azimuths", options.config.azimuths},
                            {"range_bins", sensor.range_bins},
                            {"range_resolution_m", sensor.range_resolution},
                            {"scans_per_s", static_cast<double>(simulator.size()) / seconds}}
                           .dump(2));
  else
    fmt::print("{}: {} scans of {} x {}, {:.1f} m, {} style, seed {}\n", options.output.string(),
               simulator.size(), options.config.azimuths, sensor.range_bins, metres, options.style,
               options.config.seed);
  return kDone;
}

}  // namespace

void add_simulate_command(CLI::App& program, Run& run) {
  auto options = std::make_shared<SimulateOptions>();
  SimulatorConfig& config = options->config;
  CLI::App* command = program.add_subcommand(
      "simulate", "Write a simulated drive through a made-up town, with ground truth (Oxford layout)");
  command->add_option("output", options->output, "Folder to write; must not be there yet")
      ->required()
      ->type_name("OUT");
  command->add_option("--seed", config.seed, "Of everything: another number, another town and drive")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--scans", config.scans, "How many; with --drive, at most")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--style", options->style, "urban, suburban, highway or park")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--drive", config.drive, "Motion to make: a gt/radar_odometry.csv [a route of its own]")
      ->type_name("CSV");
  command->add_option("--moving", config.moving, "Moving cars within reach [as the style has them]")
      ->type_name("N");
  command->add_option("--noise", config.noise, "Receiver noise, times the usual power")
      ->type_name("X")
      ->capture_default_str();
  command->add_option("--range-resolution", config.range_resolution, "Metres a range bin")
      ->type_name("METRES")
      ->capture_default_str();
  command->add_option("--bins", config.bins, "Range bins a row [as many as reach 165 m]")->type_name("N");
  command->add_option("--azimuths", config.azimuths, "Rows a scan")->type_name("N")->capture_default_str();
  command->add_flag("--reduced", config.reduced,
                    "Keep the nearest 1728 bins, averaged by fours, in multiples of 4: smaller and faster");
  add_threads_option(*command, options->threads);
  add_json_option(*command, options->json);
  command->callback([options, &run] { run = [options] { return run_simulate(*options); }; });
}

}  // namespace fmbym::app
