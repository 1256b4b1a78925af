// fmbym bench: the paper's timing table on this machine, by the paper's protocol: noise input, one pair at a
// time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "app/command.hpp"
#include "app/interrupt.hpp"
#include "app/options.hpp"
#include "app/results.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/stopwatch.hpp"

namespace fmbym::app {
namespace {

constexpr int kBurnIn = 50, kMostPasses = 2000;

struct BenchOptions {
  std::vector<std::string> methods = {"raw", "f-raw"};
  std::vector<int> resolutions = {127, 255, 511};
  std::string preset = "default";
  double seconds = 20;
  int threads = 1;
  bool json = false;
};

struct Row {
  std::string method;
  int resolution = 0;
  double hz = 0, ms_median = 0, ms_p95 = 0;
  std::size_t passes = 0;
};

Image noise(const ImagingConfig& geometry, unsigned seed) {
  Image image(geometry.size, geometry.metres_per_pixel);
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> power(0, 1);
  std::generate(image.pixels().begin(), image.pixels().end(), [&] { return power(random); });
  return image;
}

// Fifty passes to settle, but no longer than a quarter of the time there is.
void burn_in(Matcher& matcher, const Image& current, const Image& previous, double seconds) {
  double spent_ms = 0;
  for (int i = 0; i < kBurnIn && spent_ms < 250 * seconds && !interrupted(); ++i) {
    Stopwatch watch;
    matcher.match(current, previous);
    spent_ms += watch.lap_ms();
  }
}

Row bench_row(const OdometryConfig& config, double seconds) {
  const auto matcher = make_matcher(config);
  const Image current = noise(config.imaging, 1), previous = noise(config.imaging, 2);
  burn_in(*matcher, current, previous, seconds);
  std::vector<double> ms;
  double total_ms = 0;
  do {
    Stopwatch watch;
    matcher->match(current, previous);
    ms.push_back(watch.lap_ms());
    total_ms += ms.back();
  } while (ms.size() < kMostPasses && total_ms < 1000 * seconds && !interrupted());
  std::sort(ms.begin(), ms.end());
  const auto quantile = [&](double q) {
    return ms[static_cast<std::size_t>(q * static_cast<double>(ms.size() - 1))];
  };
  return {to_string(config.method),
          config.imaging.size,
          1000 * static_cast<double>(ms.size()) / total_ms,
          quantile(0.5),
          quantile(0.95),
          ms.size()};
}

void print_row(const Row& row) {
  fmt::print("{:8} {:10} {:9.1f} {:9.3f} {:9.3f} {:7}\n", row.method, row.resolution, row.hz, row.ms_median,
             row.ms_p95, row.passes);
  std::fflush(stdout);
}

Json row_json(const Row& row) {
  return {{"method", row.method},       {"resolution", row.resolution}, {"precision", "fp32"}, {"hz", row.hz},
          {"ms_median", row.ms_median}, {"ms_p95", row.ms_p95},         {"passes", row.passes}};
}

int run_bench(const BenchOptions& options) {
  if (!(options.seconds > 0))
    throw Error(fmt::format("--seconds {}: a time above 0 is needed", options.seconds));
  std::vector<OdometryConfig> configs;  // all of them first: a wrong one should not cost the others' time
  for (const std::string& method : options.methods)
    for (const int resolution : options.resolutions)
      configs.push_back(MethodOptions{method, options.preset, resolution, options.threads, {}}.config());

  watch_for_interrupt();
  Json rows = Json::array();
  if (!options.json)
    fmt::print("method   resolution        Hz  median ms   p95 ms  passes   ({} threads)\n", options.threads);
  for (const OdometryConfig& config : configs) {
    const Row row = bench_row(config, options.seconds);
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
  command->add_option("--methods", options->methods, "Rows: raw, f-raw")->delimiter(',')->type_name("NAME,…");
  command->add_option("--resolutions", options->resolutions, "Columns: 127, 255, 511")
      ->delimiter(',')
      ->type_name("N,…");
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
