// ./build/release/bench/fmbym_training_bench --benchmark_enable_random_interleaving=true
//     --benchmark_repetitions=5 --benchmark_report_aggregates_only=true
// The network's layers in training, ours and torch's in one run: forward and backward of a micro-batch on one
// thread. Arguments: channels (in and out), pixels a side.
#include <benchmark/benchmark.h>
#include <torch/autograd.h>
#include <torch/nn/functional.h>
#include <torch/utils.h>

#include "training/fast_layers.hpp"
#include "training/freed_memory.hpp"
#include "training/plain_network.hpp"

namespace fmbym::training {
namespace {

namespace F = torch::nn::functional;

constexpr std::int64_t kBatch = 4;  // pairs

torch::Tensor images(std::int64_t channels, std::int64_t size) {
  return torch::randn({kBatch, channels, size, size}).contiguous(at::MemoryFormat::ChannelsLast);
}

// Forward and backward of what `layer` makes of inputs that all want gradients.
template <class Layer>
void time_layer(benchmark::State& state, const std::vector<torch::Tensor>& inputs, const Layer& layer) {
  for (const torch::Tensor& input : inputs) input.requires_grad_();
  const torch::Tensor gradient = torch::randn_like(layer());
  for (auto _ : state) torch::autograd::grad({layer()}, inputs, {gradient});
}

template <bool fast>
void network(benchmark::State& state) {
  at::set_num_threads(1);  // counts for the calling thread alone
  torch::manual_seed(1);
  MaskUnet net;
  for (const auto& parameter : net->parameters())  // twice as fast in torch
    if (!fast && parameter.dim() == 4)
      parameter.set_data(parameter.contiguous(at::MemoryFormat::ChannelsLast));
  const torch::Tensor scans = images(2, state.range(0)).abs();
  const torch::Tensor labels = images(2, state.range(0)).sign().relu();
  for (auto _ : state) {
    const torch::Tensor logits = fast ? net->logits(scans) : testing::plain_logits(*net, scans);
    F::binary_cross_entropy_with_logits(logits, labels).backward();
    net->zero_grad();
  }
  state.SetItemsProcessed(state.iterations() * kBatch);
}
// One network, or two side by side.
void network_sizes(benchmark::internal::Benchmark* bench) {
  bench->Arg(127)->Arg(255)->Unit(benchmark::kMillisecond)->UseRealTime()->Threads(1)->Threads(2);
}
BENCHMARK(network<false>)->Name("network/torch")->Apply(network_sizes);
BENCHMARK(network<true>)->Name("network/ours")->Apply(network_sizes);

template <bool fast>
void normalise(benchmark::State& state) {
  torch::nn::BatchNorm2d norm(state.range(0));
  const torch::Tensor in = images(state.range(0), state.range(1));
  time_layer(state, {in, norm->weight, norm->bias},
             [&] { return fast ? normalise_relu(*norm, in).value : norm->forward(in).relu_(); });
}
void norm_shapes(benchmark::internal::Benchmark* bench) {
  for (int level = 0; level < 6; ++level) bench->Args({8 << level, (128 >> level) - 1});
  bench->Unit(benchmark::kMicrosecond);
}
BENCHMARK(normalise<false>)->Name("normalise/torch")->Apply(norm_shapes);
BENCHMARK(normalise<true>)->Name("normalise/ours")->Apply(norm_shapes);

template <bool fast>
void convolve(benchmark::State& state) {
  const torch::Tensor in = images(state.range(0), state.range(2));
  const torch::Tensor weight = torch::randn({state.range(1), state.range(0), 3, 3});
  time_layer(state, {in, weight},
             [&] { return fast ? convolve3x3(in, weight) : torch::conv2d(in, weight, {}, 1, 1); });
}
void convolution_shapes(benchmark::internal::Benchmark* bench) {
  bench->Args({2, 8, 127})->Args({8, 2, 127});
  for (int level = 0; level < 6; ++level) {
    const int channels = 8 << level, size = (128 >> level) - 1;
    if (level > 0) bench->Args({channels / 2, channels, size});
    bench->Args({channels, channels, size});
    if (level < 5) bench->Args({3 * channels, channels, size});
  }
  bench->Unit(benchmark::kMicrosecond);
}
BENCHMARK(convolve<false>)->Name("convolve/torch")->Apply(convolution_shapes);
BENCHMARK(convolve<true>)->Name("convolve/ours")->Apply(convolution_shapes);

void resampling_shapes(benchmark::internal::Benchmark* bench) {
  for (int level = 0; level < 5; ++level) bench->Args({8 << level, (128 >> level) - 1});
  bench->Unit(benchmark::kMicrosecond);
}

template <bool fast>
void pool(benchmark::State& state) {
  const torch::Tensor in = images(state.range(0), state.range(1));
  time_layer(state, {in}, [&] { return fast ? pool2x2(in) : torch::max_pool2d(in, 2); });
}
BENCHMARK(pool<false>)->Name("pool/torch")->Apply(resampling_shapes);
BENCHMARK(pool<true>)->Name("pool/ours")->Apply(resampling_shapes);

template <bool fast>
void join(benchmark::State& state) {
  const torch::Tensor small = images(2 * state.range(0), state.range(1) / 2);
  const torch::Tensor large = images(state.range(0), state.range(1));
  time_layer(state, {small, large}, [&] {
    return fast ? stretch_and_join(small, large).value : testing::stretched_and_joined(small, large);
  });
}
BENCHMARK(join<false>)->Name("join/torch")->Apply(resampling_shapes);
BENCHMARK(join<true>)->Name("join/ours")->Apply(resampling_shapes);

}  // namespace
}  // namespace fmbym::training

int main(int argc, char** argv) {
  fmbym::training::keep_freed_memory();
  at::set_num_threads(1);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
