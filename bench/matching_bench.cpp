// Matching one pair, in milliseconds and as a multiple ("ffts") of one real 2-D transform of 256², 512² or
// 1024² at 127, 255 and 511. The transform is planned with FFTW_MEASURE and timed in turn with the matches,
// so that the ratio holds on any machine, busy or not.
#include <benchmark/benchmark.h>
#include <fftw3.h>

#include <algorithm>
#include <random>
#include <vector>

#include "fmbym/core/stopwatch.hpp"
#include "fmbym/odometry/config.hpp"

namespace fmbym {
namespace {

// One real transform of n×n pixels.
class ReferenceFft {
 public:
  explicit ReferenceFft(int n)
      : image_(fftwf_alloc_real(static_cast<std::size_t>(n) * static_cast<std::size_t>(n))),
        spectrum_(fftwf_alloc_complex(static_cast<std::size_t>(n) * static_cast<std::size_t>(n / 2 + 1))),
        plan_(fftwf_plan_dft_r2c_2d(n, n, image_, spectrum_, FFTW_MEASURE)) {
    std::fill(image_, image_ + n * n, 1.f);
  }
  ~ReferenceFft() {
    fftwf_destroy_plan(plan_);
    fftwf_free(image_);
    fftwf_free(spectrum_);
  }
  ReferenceFft(const ReferenceFft&) = delete;
  ReferenceFft& operator=(const ReferenceFft&) = delete;

  void run() { fftwf_execute(plan_); }

 private:
  float* image_;
  fftwf_complex* spectrum_;
  fftwf_plan plan_;
};

double time_ms(const auto& work) {
  Stopwatch watch;
  work();
  return watch.lap_ms();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
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
  ReferenceFft reference(2 * (size + 1));
  std::vector<double> match_ms, fft_ms;
  for (auto _ : state) {
    match_ms.push_back(time_ms([&] { benchmark::DoNotOptimize(matcher->match(current, previous)); }));
    state.SetIterationTime(match_ms.back() / 1000);
    // The first one only fetches its data back into the cache.
    reference.run();
    for (int i = 0; i < 3; ++i) fft_ms.push_back(time_ms([&] { reference.run(); }));
  }
  state.counters["ffts"] = median(match_ms) / median(fft_ms);
}

#define FMBYM_MATCH_BENCHMARK(name, method, preset) \
  BENCHMARK_CAPTURE(match, name, method, preset)    \
      ->Arg(127)                                    \
      ->Arg(255)                                    \
      ->Arg(511)                                    \
      ->Unit(benchmark::kMillisecond)               \
      ->UseManualTime()
FMBYM_MATCH_BENCHMARK(f_raw_default, Method::f_raw, Preset::standard);
FMBYM_MATCH_BENCHMARK(f_raw_paper, Method::f_raw, Preset::paper);
FMBYM_MATCH_BENCHMARK(raw_default, Method::raw, Preset::standard);
FMBYM_MATCH_BENCHMARK(raw_paper, Method::raw, Preset::paper);

}  // namespace
}  // namespace fmbym
