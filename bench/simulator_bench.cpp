// Rendering a simulated scan of full size, style by style.
#include <benchmark/benchmark.h>

#include "fmbym/datasets/simulator.hpp"

namespace fmbym {
namespace {

void simulate(benchmark::State& state) {
  SimulatorConfig config;
  config.style = static_cast<TownStyle>(state.range(0));
  const Simulator simulator(config);
  state.SetLabel(to_string(config.style));
  std::size_t scan = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(simulator.read(scan));
    scan = (scan + 7) % simulator.size();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(simulate)->DenseRange(0, 3)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fmbym
