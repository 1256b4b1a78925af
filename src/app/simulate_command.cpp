// fmbym simulate OUT: a drive through a made-up town, written as a sequence with ground truth.
// fmbym simulate --compare SEQUENCE: its scans beside real ones, in numbers.
#include <fmt/format.h>

#include <algorithm>
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
#include "fmbym/datasets/oxford.hpp"
#include "fmbym/datasets/oxford_writer.hpp"
#include "fmbym/datasets/prefetch.hpp"
#include "fmbym/datasets/scan_statistics.hpp"
#include "fmbym/datasets/simulator.hpp"
#include "fmbym/evaluation/metrics.hpp"

namespace fmbym::app {
namespace {

namespace fs = std::filesystem;

struct SimulateOptions {
  fs::path output, compare;
  std::string style = "urban";
  SimulatorConfig config;
  int threads = MethodOptions::default_threads();
  CalibrationOverride sensor;  // of the sequence to compare with
  bool json = false;
};

double length_of(const Simulator& simulator) {
  Trajectory truth;
  for (const auto& T_world : simulator.ground_truth()) truth.T_world.push_back(to_spatial(*T_world));
  return path_length(truth);
}

void print_written(const SimulateOptions& options, const Simulator& simulator, double seconds) {
  const SensorCalibration& sensor = simulator.calibration();
  const double metres = length_of(simulator);
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
    fmt::print("{}: {} scans of {} x {}, {:.1f} m, {} style, seed {}; {:.0f} scans/s\n",
               options.output.string(), simulator.size(), options.config.azimuths, sensor.range_bins, metres,
               options.style, options.config.seed, static_cast<double>(simulator.size()) / seconds);
}

int write_sequence(const SimulateOptions& options) {
  const Simulator simulator(options.config);
  watch_for_interrupt();
  oxford::SequenceWriter writer(options.output, simulator.calibration());
  Stopwatch watch;
  {
    Progress progress(simulator.size(), "scans");
    ScanPrefetcher scans(simulator, all_scans(simulator), options.threads > 1 ? 2 : 0);
    while (auto rendered = scans.next()) {
      writer.add(rendered->scan(), *simulator.ground_truth()[rendered->index]);
      progress.advance();
      if (!interrupted()) continue;
      note("interrupted: nothing was written\n");
      return kInterrupted;
    }
  }
  writer.finish(fmt::format("fmbym {} simulate", kVersion));
  print_written(options, simulator, watch.lap_ms() / 1000);
  return kDone;
}

Json to_json(const ScanStatistics& s) {
  Json quantiles, bands = Json::array();
  for (std::size_t i = 0; i < s.quantiles.size(); ++i)
    quantiles[fmt::format("{}", ScanStatistics::kQuantiles[i])] = s.quantiles[i];
  for (const auto& band : s.bands)
    bands.push_back({{"from_m", band.from}, {"to_m", band.to}, {"mean", band.mean}});
  return {{"scans", s.scans},
          {"mean", s.mean},
          {"deviation", s.deviation},
          {"quantiles", quantiles},
          {"power_by_range", bands},
          {"range_correlation", s.range_correlation},
          {"azimuth_correlation", s.azimuth_correlation},
          {"time_correlation", s.time_correlation}};
}

void print_side_by_side(const ScanStatistics& real, const ScanStatistics& simulated) {
  const auto line = [](const std::string& name, double a, double b, int digits) {
    fmt::print("{:24} {:>9.{}f} {:>9.{}f}\n", name, a, digits, b, digits);
  };
  fmt::print("{:24} {:>9} {:>9}\n", "", "real", "simulated");
  line("scans", static_cast<double>(real.scans), static_cast<double>(simulated.scans), 0);
  line("mean", real.mean, simulated.mean, 1);
  line("deviation", real.deviation, simulated.deviation, 1);
  for (std::size_t i = 0; i < real.quantiles.size(); ++i)
    line(fmt::format("{} %", ScanStatistics::kQuantiles[i]), real.quantiles[i], simulated.quantiles[i], 0);
  for (std::size_t i = 0; i < std::min(real.bands.size(), simulated.bands.size()); ++i)
    line(fmt::format("mean from {} to {} m", real.bands[i].from, real.bands[i].to), real.bands[i].mean,
         simulated.bands[i].mean, 1);
  for (std::size_t i = 0; i < ScanStatistics::kLags; ++i)
    line(fmt::format("correlation, {} bins", i + 1), real.range_correlation[i],
         simulated.range_correlation[i], 3);
  for (std::size_t i = 0; i < ScanStatistics::kLags; ++i)
    line(fmt::format("correlation, {} azimuths", i + 1), real.azimuth_correlation[i],
         simulated.azimuth_correlation[i], 3);
  line("correlation, next scan", real.time_correlation, simulated.time_correlation, 3);
}

// A radar like the sequence's, so that bins and rows are as large.
int compare(const SimulateOptions& options) {
  constexpr std::size_t places = 12;
  const auto dataset = open_dataset(options.compare, options.sensor);
  SimulatorConfig config = options.config;
  config.azimuths = dataset->read(0).azimuths();
  config.reduced = dataset->calibration().range_bins == oxford::kReducedBins;
  if (!config.reduced) {
    config.bins = dataset->calibration().range_bins;
    config.range_resolution = dataset->calibration().range_resolution;
  }
  const ScanStatistics real = scan_statistics(*dataset, places);
  const ScanStatistics simulated = scan_statistics(Simulator(config), places);
  if (options.json)
    fmt::print("{}\n", Json{{"real", to_json(real)}, {"simulated", to_json(simulated)}}.dump(2));
  else
    print_side_by_side(real, simulated);
  return kDone;
}

int run_simulate(SimulateOptions options) {
  options.config.style = parse_town_style(options.style);
  options.config.validate();
  if (!options.compare.empty()) return compare(options);
  if (options.output.empty())
    throw Error("simulate: expected a folder to write, found none; give OUT, or --compare SEQUENCE");
  return write_sequence(options);
}

}  // namespace

void add_simulate_command(CLI::App& program, Run& run) {
  auto options = std::make_shared<SimulateOptions>();
  SimulatorConfig& config = options->config;
  CLI::App* command = program.add_subcommand(
      "simulate", "Write a simulated drive through a made-up town, with ground truth (Oxford layout)");
  command->add_option("output", options->output, "Folder to write; must not be there yet")->type_name("OUT");
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
  command
      ->add_option("--compare", options->compare,
                   "Write nothing; print the statistics of simulated scans beside those of this sequence")
      ->type_name("SEQUENCE");
  add_threads_option(*command, options->threads);
  add_json_option(*command, options->json);
  command->callback([options, &run] { run = [options] { return run_simulate(*options); }; });
}

}  // namespace fmbym::app
