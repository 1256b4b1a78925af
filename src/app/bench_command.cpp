// fmbym bench: the paper's timing table on this machine, by the paper's protocol: noise input, one pair at a
// time.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <random>

#include "app/command.hpp"
#include "app/convolution_floor.hpp"
#include "app/interrupt.hpp"
#include "app/options.hpp"
#include "app/results.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/stopwatch.hpp"
#include "fmbym/masking/quantizer.hpp"

namespace fmbym::app {
namespace {

constexpr int kBurnIn = 50, kMostPasses = 2000;
constexpr int kTurn = 5;  // passes of one thing before those of the other, where two are compared

struct BenchOptions {
  std::vector<std::string> methods = {"mask", "raw", "f-raw", "mbym", "f-mbym"};
  std::vector<int> resolutions = {127, 255, 511};
  std::vector<std::string> precisions = {"fp32", "int8"};
  std::string preset = "default";
  double seconds = 20;
  int threads = 1;
  bool json = false;
};

// What a row times, from a pair of images on.
struct Subject {
  std::string method;
  int resolution = 0;
  Precision precision = Precision::fp32;
  bool masks = true;
  std::optional<OdometryConfig> search;  // none for the network alone
};

struct Row {
  Subject subject;
  double hz = 0, ms_median = 0, ms_p95 = 0;
  std::size_t passes = 0;
  std::optional<double> conv_floor_ms;
};

Image noise(int size, double metres_per_pixel, unsigned seed) {
  Image image(size, metres_per_pixel);
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> power(0, 1);
  std::generate(image.pixels().begin(), image.pixels().end(), [&] { return power(random); });
  return image;
}

// Weights that nobody trained take the same time.
MaskModel untrained_model(int size, Precision precision) {
  MaskModel model = random_model(1, size);
  if (precision == Precision::fp32) return model;
  Quantizer quantizer(model, size);
  quantizer.observe(noise(size, 1, 1), noise(size, 1, 2));
  return quantizer.quantized();
}

using Pass = std::function<void()>;

Pass make_pass(const Subject& subject, int threads) {
  struct State {
    Image current, previous, masked_current, masked_previous;
    std::optional<MaskNetwork> network;
    bool both_ways = false;
    std::unique_ptr<Matcher> matcher;
  };
  auto state = std::make_shared<State>();
  const double metres_per_pixel = subject.search ? subject.search->imaging.metres_per_pixel : 1;
  state->current = noise(subject.resolution, metres_per_pixel, 1);
  state->previous = noise(subject.resolution, metres_per_pixel, 2);
  if (subject.masks)
    state->network.emplace(untrained_model(subject.resolution, subject.precision), subject.resolution,
                           threads);
  if (!subject.search) return [state] { state->network->predict(state->current, state->previous); };
  state->matcher = make_matcher(*subject.search);
  state->both_ways = subject.search->mask_both_ways;
  if (!state->network) return [state] { state->matcher->match(state->current, state->previous); };
  return [state] {
    const Masks masks = state->both_ways ? state->network->predict_both_ways(state->current, state->previous)
                                         : state->network->predict(state->current, state->previous);
    state->masked_current = state->current;
    state->masked_previous = state->previous;
    apply_mask(masks.current, state->masked_current);
    apply_mask(masks.reference, state->masked_previous);
    state->matcher->match(state->masked_current, state->masked_previous);
  };
}

double timed(const Pass& pass) {
  Stopwatch watch;
  pass();
  return watch.lap_ms();
}

// Fifty passes to settle, but no longer than a quarter of the time there is.
void burn_in(const Pass& pass, double seconds) {
  double spent_ms = 0;
  for (int i = 0; i < kBurnIn && spent_ms < 250 * seconds && !interrupted(); ++i) spent_ms += timed(pass);
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

// A few passes of the one and a few of the other in turn: on a machine whose clock wanders, only what ran
// side by side can be compared.
Row bench_row(const Subject& subject, int threads, double seconds) {
  std::vector<Pass> passes = {make_pass(subject, threads)};
  if (!subject.search) {
    auto floor = std::make_shared<ConvolutionFloor>(subject.resolution, subject.precision, threads);
    passes.push_back([floor] { floor->run(); });
  }
  const double share = seconds / static_cast<double>(passes.size());
  for (const Pass& pass : passes) burn_in(pass, share);
  std::array<std::vector<double>, 2> ms;
  double total_ms = 0;
  do {
    for (std::size_t i = 0; i < passes.size(); ++i)
      for (int k = 0; k < kTurn; ++k) {
        ms[i].push_back(timed(passes[i]));
        if (i == 0) total_ms += ms[i].back();
        if (passes.size() == 1) break;
      }
  } while (ms[0].size() < kMostPasses && total_ms < 1000 * share && !interrupted());
  Row row{subject,
          1000 * static_cast<double>(ms[0].size()) / total_ms,
          quantile(ms[0], 0.5),
          quantile(ms[0], 0.95),
          ms[0].size(),
          {}};
  if (passes.size() > 1) row.conv_floor_ms = quantile(ms[1], 0.5);
  return row;
}

void print_row(const Row& row) {
  fmt::print("{:8} {:10} {:9} {:9.1f} {:9.3f} {:9.3f} {:7}", row.subject.method, row.subject.resolution,
             to_string(row.subject.precision), row.hz, row.ms_median, row.ms_p95, row.passes);
  if (row.conv_floor_ms) fmt::print(" {:11.3f}", *row.conv_floor_ms);
  fmt::print("\n");
  std::fflush(stdout);
}

Json row_json(const Row& row) {
  Json json = {{"method", row.subject.method},
               {"resolution", row.subject.resolution},
               {"precision", to_string(row.subject.precision)},
               {"hz", row.hz},
               {"ms_median", row.ms_median},
               {"ms_p95", row.ms_p95},
               {"passes", row.passes}};
  if (row.conv_floor_ms) json["conv_floor_ms"] = *row.conv_floor_ms;
  return json;
}

Subject make_subject(const std::string& name, int resolution, const BenchOptions& options) {
  Subject subject{name, resolution, Precision::fp32, true, {}};
  if (name != "mask") {
    const Method method = parse_method(name);
    subject.masks = uses_masks(method);
    MethodOptions chosen{
        is_decoupled(method) ? "f-raw" : "raw", options.preset, resolution, options.threads, {}};
    chosen.config();  // throws where an option is wrong; a method with masks would want a model first
    chosen.method = name;
    subject.search = chosen.draft();
  }
  if (subject.masks && resolution < kSmallestMask)
    throw Error(fmt::format("--resolutions {}: the mask network needs {} at least; leave out {}", resolution,
                            kSmallestMask, name));
  return subject;
}

// All of them first: a wrong one should not cost the others' time.
std::vector<Subject> make_subjects(const BenchOptions& options) {
  std::vector<Subject> subjects;
  for (const std::string& method : options.methods)
    for (const int resolution : options.resolutions) {
      Subject subject = make_subject(method, resolution, options);
      if (!subject.masks) {
        subjects.push_back(subject);
        continue;
      }
      for (const std::string& precision : options.precisions) {
        subject.precision = parse_precision(precision);
        subjects.push_back(subject);
      }
    }
  return subjects;
}

int run_bench(const BenchOptions& options) {
  if (!(options.seconds > 0))
    throw Error(fmt::format("--seconds {}: a time above 0 is needed", options.seconds));
  const std::vector<Subject> subjects = make_subjects(options);
  watch_for_interrupt();
  Json rows = Json::array();
  if (!options.json)
    fmt::print(
        "method   resolution precision        Hz median ms    p95 ms  passes bare oneDNN ms   ({} threads)\n",
        options.threads);
  for (const Subject& subject : subjects) {
    const Row row = bench_row(subject, options.threads, options.seconds);
    rows.push_back(row_json(row));
    if (!options.json) print_row(row);
    if (interrupted()) break;
  }
  if (options.json)
    fmt::print("{}\n",
               Json{{"threads", options.threads}, {"preset", options.preset}, {"rows", rows}}.dump(2));
  return interrupted() ? kInterrupted : kDone;
}

}  // namespace

void add_bench_command(CLI::App& program, Run& run) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = program.add_subcommand(
      "bench", "The paper's timing table on this machine: from a pair of images to a pose");
  command
      ->add_option(
          "--methods", options->methods,
          "Rows: mask (the network alone, beside its bare convolutions run by oneDNN), raw, f-raw, mbym, "
          "f-mbym")
      ->delimiter(',')
      ->type_name("NAME,…");
  command->add_option("--resolutions", options->resolutions, "Columns: 127, 255, 511")
      ->delimiter(',')
      ->type_name("N,…");
  command->add_option("--precision", options->precisions, "Of the network: fp32, int8")
      ->delimiter(',')
      ->type_name("NAME,…");
  command->add_option("--preset", options->preset, "default or paper")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "Longest time for a row; 2000 passes at most")
      ->type_name("N")
      ->capture_default_str();
  add_threads_option(*command, options->threads);
  add_json_option(*command, options->json);
  command->callback([options, &run] { run = [options] { return run_bench(*options); }; });
}

}  // namespace fmbym::app
