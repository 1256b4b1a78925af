// ./build/release/bench/fmbym_odometry_bench SEQUENCE: scans a second from decoded scans to poses, one
// thread, each preset in turn on the same scans so that a change of the clock meets both.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "fmbym/core/error.hpp"
#include "fmbym/core/stopwatch.hpp"
#include "fmbym/datasets/dataset.hpp"
#include "fmbym/odometry/odometry.hpp"

namespace fmbym {
namespace {

constexpr std::size_t kMostScans = 120;  // decoded, they fill a gigabyte at most
constexpr int kRounds = 5;

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void run(const char* sequence) {
  const auto dataset = open_dataset(sequence);
  std::vector<PolarScan> scans;
  for (std::size_t i = 0; i < std::min(dataset->size(), kMostScans); ++i) scans.push_back(dataset->read(i));

  fmt::print(
      "| resolution | paper [ms] | default [ms] | ratio | default [scans/s] |\n|---|---|---|---|---|\n");
  for (const int resolution : {127, 255, 511}) {
    std::vector<double> paper_ms, default_ms;
    for (int round = 0; round < kRounds; ++round) {
      Odometry paper(make_config(Method::f_raw, Preset::paper, resolution));
      Odometry standard(make_config(Method::f_raw, Preset::standard, resolution));
      for (const PolarScan& scan : scans) {
        Stopwatch watch;
        paper.register_scan(scan);
        paper_ms.push_back(watch.lap_ms());
        standard.register_scan(scan);
        default_ms.push_back(watch.lap_ms());
      }
    }
    const double paper = median(paper_ms), standard = median(default_ms);
    fmt::print("| {} | {:.2f} | {:.2f} | {:.2f} | {:.0f} |\n", resolution, paper, standard, standard / paper,
               1000 / standard);
  }
}

}  // namespace
}  // namespace fmbym

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: fmbym_odometry_bench SEQUENCE\n");
    return 2;
  }
  try {
    fmbym::run(arguments[1]);
  } catch (const fmbym::Error& error) {
    fmt::print(stderr, "fmbym_odometry_bench: {}\n", error.what());
    return 1;
  }
}
