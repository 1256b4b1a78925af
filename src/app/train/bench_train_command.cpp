// fmbym bench-train: the paper's training comparison. Time of a step and peak memory of each method, with
// batches twice as large from row to row until the memory is used up.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "app/command.hpp"
#include "app/interrupt.hpp"
#include "app/json.hpp"
#include "app/note.hpp"
#include "app/options.hpp"
#include "app/train/child_process.hpp"
#include "app/train/torch_errors.hpp"
#include "fmbym/masking/mask_network.hpp"
#include "fmbym/report/training_cost.hpp"
#include "training/step_benchmark.hpp"

namespace fmbym::app {
namespace {

namespace fs = std::filesystem;

constexpr int kLargestBatch = 1 << 16;
constexpr int kOutOfMemory = 3;  // exit code of the child

struct BenchTrainOptions {
  std::vector<std::string> methods = {"f-mbym", "mbym"};
  std::string preset = "paper";
  int resolution = 255;
  std::string memory = "12GB";
  double seconds = 10;
  int threads = MethodOptions::default_threads();
  fs::path picture;
  bool json = false;
  int only_batch = 0;  // in a child: measure this one

  double memory_mb() const;  // throws Error
};

double BenchTrainOptions::memory_mb() const {
  double amount = 0;
  char unit = 0, rest = 0;
  const int found = std::sscanf(memory.c_str(), "%lf%c%c%c", &amount, &unit, &rest, &rest);
  const double factor = unit == 'G' ? 1000 : 1;
  if (found != 3 || (unit != 'G' && unit != 'M') || rest != 'B' || !(amount > 0) || amount > 1e6)
    throw Error(fmt::format("--memory {}: expected a size such as 12GB or 800MB; give one", memory));
  return factor * amount;
}

struct Row {
  std::string method;
  int batch = 0;
  training::StepCost cost;

  double pair_ms() const { return cost.step_ms / batch; }
};

OdometryConfig config_of(const std::string& method, const BenchTrainOptions& options) {
  OdometryConfig config = make_config(parse_method(method), parse_preset(options.preset), options.resolution);
  config.threads = options.threads;
  return config;
}

// All of them first: a wrong one should not cost the others' time.
void check(const BenchTrainOptions& options) {
  options.memory_mb();
  if (!(options.seconds > 0))
    throw Error(fmt::format("--seconds {}: a time above 0 is needed", options.seconds));
  if (options.threads < 1 || options.threads > 256)
    throw Error(fmt::format("--threads {}: a number from 1 to 256 is needed", options.threads));
  for (const std::string& method : options.methods) {
    const OdometryConfig config = config_of(method, options);
    if (!uses_masks(config.method))
      throw Error(fmt::format("--methods {}: has no network to train; choose from f-mbym, mbym", method));
    config.imaging.validate();
  }
  if (options.resolution < kSmallestMask)
    throw Error(fmt::format("--resolution {}: the mask network needs {} at least; choose a higher one",
                            options.resolution, kSmallestMask));
}

Json cost_json(const Row& row) {
  return {{"method", row.method},
          {"batch", row.batch},
          {"steps", row.cost.steps},
          {"step_ms", row.cost.step_ms},
          {"pair_ms", row.pair_ms()},
          {"memory_mb", row.cost.memory_mb},
          {"program_mb", row.cost.program_mb}};
}

Row parse_row(const Json& json) {
  return {json.at("method"),
          json.at("batch"),
          {json.at("steps"), json.at("step_ms"), json.at("memory_mb"), json.at("program_mb")}};
}

// In the child.
int measure_here(const BenchTrainOptions& options) {
  const std::string& method = options.methods.front();
  try {
    const auto cost = explained([&] {
      return training::measure_step(config_of(method, options), options.only_batch, options.seconds);
    });
    fmt::print("{}\n", cost_json({method, options.only_batch, cost}).dump());
    return kDone;
  } catch (const OutOfMemory&) {
    return kOutOfMemory;
  }
}

// In a process of its own. Nothing where that needed too much memory, or the user ran out of patience.
std::optional<Row> measure_apart(const std::string& method, int batch, const BenchTrainOptions& options) {
  const ChildOutcome outcome = run_this_program(
      {"bench-train", "--methods", method, "--preset", options.preset, "--resolution",
       std::to_string(options.resolution), "--threads", std::to_string(options.threads), "--seconds",
       fmt::format("{}", options.seconds), "--only-batch", std::to_string(batch)},
      options.memory_mb());
  if (outcome.exit_code == kOutOfMemory || outcome.exit_code < 0) return std::nullopt;
  if (outcome.exit_code != kDone)
    throw Error(fmt::format("{}: a batch of {} could not be measured: its process failed with exit code {}",
                            method, batch, outcome.exit_code));
  const Row row = parse_row(Json::parse(outcome.output));
  if (row.cost.memory_mb > options.memory_mb()) return std::nullopt;
  return row;
}

// A batch twice as large, from the slope between the last two.
double estimate_mb(const std::vector<Row>& rows) {
  const training::StepCost& last = rows.back().cost;
  const double before = rows.size() > 1 ? rows[rows.size() - 2].cost.memory_mb : last.program_mb;
  const double slope = rows.size() > 1 ? 2 : 1;
  return last.memory_mb + slope * std::max(0.0, last.memory_mb - before);
}

void print_row(const Row& row) {
  fmt::print("{:8} {:6} {:11.1f} {:10.2f} {:9.2f} {:8.0f} {:6}\n", row.method, row.batch, row.cost.step_ms,
             row.pair_ms(), 1000 / row.pair_ms(), row.cost.memory_mb, row.cost.steps);
  std::fflush(stdout);
}

// Doubles the batch until the next one would not fit.
std::vector<Row> measure_method(const std::string& method, const BenchTrainOptions& options) {
  std::vector<Row> rows;
  for (int batch = 1; batch <= kLargestBatch && !interrupted(); batch *= 2) {
    if (!rows.empty() && estimate_mb(rows) > options.memory_mb()) {
      note("{}: no batch of {}: it would need about {:.1f} GB of --memory {:.1f} GB\n", method, batch,
           estimate_mb(rows) / 1000, options.memory_mb() / 1000);
      break;
    }
    const auto row = measure_apart(method, batch, options);
    if (!row) {
      if (!interrupted()) note("{}: a batch of {} does not fit into --memory\n", method, batch);
      break;
    }
    rows.push_back(*row);
    if (!options.json) print_row(*row);
  }
  return rows;
}

Json table_json(const std::vector<std::vector<Row>>& table, const BenchTrainOptions& options) {
  Json rows = Json::array();
  for (const auto& of_method : table)
    for (const Row& row : of_method) rows.push_back(cost_json(row));
  return {{"threads", options.threads},
          {"resolution", options.resolution},
          {"preset", options.preset},
          {"budget_mb", options.memory_mb()},
          {"rows", rows}};
}

void write_picture(const std::vector<std::vector<Row>>& table, const BenchTrainOptions& options) {
  TrainingCost cost{fmt::format("A training step at {}, {} preset, {} threads", options.resolution,
                                options.preset, options.threads),
                    {},
                    options.memory_mb()};
  for (const auto& rows : table) {
    if (rows.empty()) continue;
    TrainingCost::Series series{rows.front().method, {}};
    for (const Row& row : rows) series.points.push_back({row.batch, row.pair_ms(), row.cost.memory_mb});
    cost.series.push_back(series);
  }
  write_training_cost(options.picture, cost);
}

int run_bench_train(const BenchTrainOptions& options) {
  check(options);
  if (options.only_batch > 0) return measure_here(options);
  watch_for_interrupt();
  if (!options.json)
    fmt::print("method    batch     step ms    pair ms   pairs/s  peak MB  steps   ({} at {}, {} threads)\n",
               options.preset, options.resolution, options.threads);
  std::vector<std::vector<Row>> table;
  for (const std::string& method : options.methods) table.push_back(measure_method(method, options));
  const bool empty = std::all_of(table.begin(), table.end(), [](const auto& rows) { return rows.empty(); });
  if (empty && !interrupted())
    throw Error(fmt::format("--memory {:.0f} MB: not even one pair fits; give more", options.memory_mb()));
  if (!options.picture.empty()) write_picture(table, options);
  if (options.json) fmt::print("{}\n", table_json(table, options).dump(2));
  return interrupted() ? kInterrupted : kDone;
}

}  // namespace

void add_bench_train_command(CLI::App& program, Run& run) {
  auto options = std::make_shared<BenchTrainOptions>();
  CLI::App* command = program.add_subcommand(
      "bench-train", "Time and memory of a training step against the batch size, as in the paper");
  command->add_option("--methods", options->methods, "f-mbym, mbym")->delimiter(',')->type_name("NAME,…");
  command->add_option("--preset", options->preset, "paper or default")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--resolution", options->resolution, "Pixels a side")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--memory", options->memory,
                   "Batches grow until they need more than this, such as 12GB or 800MB")
      ->type_name("SIZE")
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "Time for a row; one step at least")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--picture", options->picture, "Draw time and memory against the batch")
      ->type_name("FILE.png");
  command->add_option("--only-batch", options->only_batch)->group("");
  add_threads_option(*command, options->threads);
  add_json_option(*command, options->json);
  command->callback(
      [options, &run] { run = [options] { return explained([&] { return run_bench_train(*options); }); }; });
}

}  // namespace fmbym::app
