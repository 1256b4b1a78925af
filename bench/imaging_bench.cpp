// From a decoded scan of full size to an image.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <numbers>
#include <random>
#include <utility>

#include "fmbym/imaging/cartesian_imager.hpp"
#include "fmbym/imaging/plain_mask.hpp"

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

CartesianImager imager_of(const benchmark::State& state) {
  return CartesianImager(imaging_for_resolution(static_cast<int>(state.range(0))));
}

void form_image(benchmark::State& state) {
  const PolarScan scan = full_size_scan();
  CartesianImager imager = imager_of(state);
  Image image;
  for (auto _ : state) {
    image = imager.form(scan, std::move(image));
    benchmark::DoNotOptimize(image.pixels().data());
  }
}
BENCHMARK(form_image)->Arg(127)->Arg(255)->Arg(511)->Unit(benchmark::kMillisecond);

void load_scan(benchmark::State& state) {
  const PolarScan scan = full_size_scan();
  CartesianImager imager = imager_of(state);
  for (auto _ : state) {
    imager.load(scan);
    benchmark::DoNotOptimize(imager.profile().power.data());
  }
}
BENCHMARK(load_scan)->Arg(127)->Arg(255)->Arg(511)->Unit(benchmark::kMillisecond);

// Of the scan loaded: to be added to the above.
void form_image_in_motion(benchmark::State& state) {
  CartesianImager imager = imager_of(state);
  imager.load(full_size_scan());
  Image image;
  for (auto _ : state) {
    image = imager.form(Twist2{15, 0.2, 0.3}, std::move(image));
    benchmark::DoNotOptimize(image.pixels().data());
  }
}
BENCHMARK(form_image_in_motion)->Arg(127)->Arg(255)->Arg(511)->Unit(benchmark::kMillisecond);

// Of a scan where one cell in twenty is above the threshold, as on the road. Includes taking a fresh profile.
void mask_profile(benchmark::State& state) {
  CartesianImager imager = imager_of(state);
  imager.load(full_size_scan());
  std::mt19937 random(2);
  RangeProfile fresh = imager.profile(), profile = fresh;
  for (float& power : fresh.power) power += random() % 20 == 0 ? 0.2f : 0;
  PlainMask mask(PlainMaskConfig{});
  for (auto _ : state) {
    profile = fresh;
    mask.apply(profile);
    benchmark::DoNotOptimize(profile.power.data());
  }
}
BENCHMARK(mask_profile)->Arg(127)->Arg(255)->Arg(511)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fmbym
