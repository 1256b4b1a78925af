// Matching one pair, in milliseconds and as a multiple ("ffts") of one real 2-D transform of 256², 512² or 1024² at
// 127, 255 and 511. The transform is planned with FFTW_MEASURE and timed in the same run, so that the ratio holds on
// any machine.
#include <benchmark/benchmark.h>
#include <fftw3.h>

#include <algorithm>
#include <random>
#include <vector>

#include "fmbym/core/stopwatch.hpp"
#include "fmbym/odometry/config.hpp"

namespace fmbym {
namespace {

double median_fft_ms(int n) {
  float* image = fftwf_alloc_real(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  fftwf_complex* spectrum = fftwf_alloc_complex(static_cast<std::size_t>(n) * static_cast<std::size_t>(n / 2 + 1));
  const fftwf_plan plan = fftwf_plan_dft_r2c_2d(n, n, image, spectrum, FFTW_MEASURE);
  std::fill(image, image + n * n, 1.f);
  std::vector<double> times;
  for (int i = 0; i < 201; ++i) {
    Stopwatch watch;
    fftwf_execute(plan);
    times.push_back(watch.lap_ms());
  }
  fftwf_destroy_plan(plan);
  fftwf_free(image);
  fftwf_free(spectrum);
  std::nth_element(times.begin(), times.begin() + 100, times.end());
  return times[100];
}

Image noise(const ImagingConfig& geometry, unsigned seed) {
  Image image(geometry.size, geometry.metres_per_pixel);
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> power(0, 1);
  std::generate(image.pixels().begin(), image.pixels().end(), [&] { return power(random); });
  return image;
}

void match(benchmark::State& state, Method method, Preset preset) {
  const int size = static_cast<int>(state.range(0));
  const OdometryConfig config = make_config(method, preset, size);
  const auto matcher = make_matcher(config);
  const Image current = noise(config.imaging, 1), previous = noise(config.imaging, 2);
  matcher->match(current, previous);
  std::vector<double> times;
  for (auto _ : state) {
    Stopwatch watch;
    benchmark::DoNotOptimize(matcher->match(current, previous));
    times.push_back(watch.lap_ms());
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  state.counters["ffts"] = *middle / median_fft_ms(2 * (size + 1));
}

#define FMBYM_MATCH_BENCHMARK(name, method, preset) \
  BENCHMARK_CAPTURE(match, name, method, preset)->Arg(127)->Arg(255)->Arg(511)->Unit(benchmark::kMillisecond)
FMBYM_MATCH_BENCHMARK(f_raw_default, Method::f_raw, Preset::standard);
FMBYM_MATCH_BENCHMARK(f_raw_paper, Method::f_raw, Preset::paper);
FMBYM_MATCH_BENCHMARK(raw_default, Method::raw, Preset::standard);
FMBYM_MATCH_BENCHMARK(raw_paper, Method::raw, Preset::paper);

}  // namespace
}  // namespace fmbym
