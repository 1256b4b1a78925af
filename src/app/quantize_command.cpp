// fmbym quantize MODEL --data SEQUENCE --output FILE: the mask network in 8-bit integers.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <memory>

#include "app/command.hpp"
#include "app/interrupt.hpp"
#include "app/note.hpp"
#include "app/options.hpp"
#include "app/progress.hpp"
#include "app/results.hpp"
#include "fmbym/core/checksum.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/masking/quantizer.hpp"
#include "fmbym/odometry/odometry.hpp"

namespace fmbym::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostHeldBack = 16;  // pairs

struct QuantizeOptions {
  fs::path model, data, output;
  int pairs = 64;
  ScanChoice scans;
  CalibrationOverride sensor;
  int threads = MethodOptions::default_threads();
  bool skip_bad = false, json = false;
};

struct Pair {
  Image current, reference;
};

// What the network will see: the pairs that odometry compares, before any mask of the network's.
OdometryConfig config_for(const ModelInfo& info) {
  const Preset preset = info.preset.empty() ? Preset::standard : parse_preset(info.preset);
  return make_config(Method::f_raw, preset, info.resolution);
}

// Every so many scans one pair is observed and the next held back, to see how well it went.
std::vector<Pair> observe_sequence(const QuantizeOptions& options, const OdometryConfig& config,
                                   Quantizer& quantizer) {
  const auto dataset = open_dataset(options.data, options.sensor);
  const auto indices = options.scans.indices(*dataset, options.data);
  const std::size_t step = std::max<std::size_t>(2, indices.size() / static_cast<std::size_t>(options.pairs));
  Odometry odometry(config);
  Progress progress(indices.size(), "scans");
  std::vector<Pair> held_back;
  std::size_t scans = 0;
  for (const std::size_t index : indices) {
    if (interrupted()) break;
    progress.advance();
    try {
      odometry.register_scan(dataset->read(index));
    } catch (const Error& error) {
      if (!options.skip_bad) throw Error(fmt::format("{}; --skip-bad leaves such scans out", error.what()));
      note("note: {}; left out\n", error.what());
      continue;
    }
    const MatchedImages images = odometry.images();
    if (scans % step == 1) quantizer.observe(images.current, images.reference);
    if (scans % step == 0 && scans > 0 && held_back.size() < kMostHeldBack)
      held_back.push_back({images.current, images.reference});
    ++scans;
  }
  return held_back;
}

struct Difference {
  double mean = 0, largest = 0;
};

Difference compare(const MaskModel& exact, const MaskModel& integers, const std::vector<Pair>& pairs,
                   int threads) {
  MaskNetwork a(exact, exact.info.resolution, threads), b(integers, exact.info.resolution, threads);
  Difference difference;
  double count = 0;
  const auto add = [&](const Image& x, const Image& y) {
    for (std::size_t i = 0; i < x.pixels().size(); ++i, ++count) {
      const double d = std::abs(x.pixels()[i] - y.pixels()[i]);
      difference.mean += d;
      difference.largest = std::max(difference.largest, d);
    }
  };
  for (const Pair& pair : pairs) {
    const Masks x = a.predict(pair.current, pair.reference), y = b.predict(pair.current, pair.reference);
    add(x.current, y.current);
    add(x.reference, y.reference);
  }
  difference.mean /= std::max(1.0, count);
  return difference;
}

// Fails before the work is done rather than after.
void check_options(const QuantizeOptions& options) {
  if (options.pairs < 1) throw Error(fmt::format("--pairs {}: one at least is needed", options.pairs));
  const std::string output = options.output.string();
  std::error_code none;
  if (fs::equivalent(options.model, options.output, none))
    throw Error(fmt::format("--output {}: that is the model itself; give another file", output));
  if (::access(fs::absolute(options.output).parent_path().c_str(), W_OK) != 0)
    throw Error(fmt::format("--output {}: cannot write there: {}; choose another file", output,
                            std::strerror(errno)));
}

int run_quantize(const QuantizeOptions& options) {
  check_options(options);
  const MaskModel model = read_model(options.model);
  if (model.precision != Precision::fp32)
    throw Error(
        fmt::format("{}: is in 8 bits already; give the model in floating point that it was made from",
                    options.model.string()));
  watch_for_interrupt();
  Quantizer quantizer(model, model.info.resolution, options.threads);
  const auto held_back = observe_sequence(options, config_for(model.info), quantizer);
  if (interrupted()) return kInterrupted;
  const MaskModel integers = quantizer.quantized();
  const Difference difference = compare(model, integers, held_back, options.threads);
  write_model(options.output, integers);

  if (options.json)
    fmt::print("{}\n", Json{{"model", options.model.string()},
                            {"output", options.output.string()},
                            {"sha256", sha256_of_file(options.output)},
                            {"bytes", fs::file_size(options.output)},
                            {"pairs", quantizer.observed()},
                            {"mask_difference_mean", difference.mean},
                            {"mask_difference_max", difference.largest}}
                           .dump(2));
  else
    fmt::print(
        "{}: {:.1f} MB, from {} pairs of scans\nmasks of {} other pairs differ by {:.4f} on average, {:.3f} "
        "at most\n",
        options.output.string(), static_cast<double>(fs::file_size(options.output)) * 1e-6,
        quantizer.observed(), held_back.size(), difference.mean, difference.largest);
  return kDone;
}

}  // namespace

void add_quantize_command(CLI::App& program, Run& run) {
  auto options = std::make_shared<QuantizeOptions>();
  CLI::App* command = program.add_subcommand("quantize", "Turn a mask model into one of 8-bit integers");
  command->add_option("model", options->model, "The model in floating point")->required()->type_name("MODEL");
  command
      ->add_option("--data", options->data,
                   "Scans like those it will work on, to find the range of its activations")
      ->required()
      ->type_name("SEQUENCE");
  command->add_option("--output", options->output, "The model to write")->required()->type_name("FILE");
  command
      ->add_option("--pairs", options->pairs, "How many pairs of scans to look at, spread over the sequence")
      ->type_name("N")
      ->capture_default_str();
  add_scan_options(*command, options->scans);
  add_sensor_options(*command, options->sensor);
  add_skip_bad_option(*command, options->skip_bad);
  add_threads_option(*command, options->threads);
  add_json_option(*command, options->json);
  command->callback([options, &run] { run = [options] { return run_quantize(*options); }; });
}

}  // namespace fmbym::app
