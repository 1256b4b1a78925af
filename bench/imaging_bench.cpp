// From a decoded scan of full size to an image.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <numbers>
#include <random>

#include "fmbym/imaging/cartesian_imager.hpp"

namespace fmbym {
namespace {

PolarScan full_size_scan() {
  constexpr int azimuths = 400;
  PolarScan scan;
  scan.bins = 3768;
  scan.range_resolution = 0.0438;
  std::mt19937 random(1);
  for (int a = 0; a < azimuths; ++a) {
    scan.azimuth.push_back((13 + 14 * a) * 2 * std::numbers::pi / 5600);
    for (int bin = 0; bin < scan.bins; ++bin) scan.power.push_back(static_cast<std::uint8_t>(random() & 63));
  }
  return scan;
}

void form_image(benchmark::State& state) {
  const PolarScan scan = full_size_scan();
  CartesianImager imager(imaging_for_resolution(static_cast<int>(state.range(0))));
  Image image;
  for (auto _ : state) {
    image = imager.form(scan, std::move(image));
    benchmark::DoNotOptimize(image.pixels().data());
  }
}
BENCHMARK(form_image)->Arg(127)->Arg(255)->Arg(511)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fmbym
