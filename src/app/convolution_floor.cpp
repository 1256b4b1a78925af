#include "app/convolution_floor.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>
#include <vector>

#include "fmbym/core/error.hpp"

namespace fmbym::app {
namespace {

using Tag = dnnl::memory::format_tag;
using Type = dnnl::memory::data_type;

// oneDNN takes AMX wherever the processor has it, also where the system does not allow it, and dies of that.
// The first question about instruction sets settles them for good, so this comes before anything else of
// oneDNN; the limit leaves processors that know less as they are.
void keep_off_amx() {
  static const dnnl::status limited = dnnl::set_max_cpu_isa(dnnl::cpu_isa::avx512_core_bf16);
  if (limited != dnnl::status::success)
    throw Error("oneDNN was used before its instructions were limited; run the bare convolutions first");
}

// Anything but zeros and numbers too small to be normal.
void fill(dnnl::memory& memory) {
  const std::size_t bytes = memory.get_desc().get_size();
  if (memory.get_desc().data_type() != Type::f32) {
    std::memset(memory.get_data_handle(), 3, bytes);
    return;
  }
  auto* numbers = static_cast<float*>(memory.get_data_handle());
  for (std::size_t i = 0; i < bytes / sizeof(float); ++i)
    numbers[i] = 0.01f * static_cast<float>(static_cast<int>(i % 7) - 2);
}

struct Layer {
  dnnl::convolution_forward convolution;
  std::unordered_map<int, dnnl::memory> arguments;
};

// Layouts are oneDNN's choice, and so is what it keeps between.
Layer make_layer(const dnnl::engine& engine, const ConvolutionShape& shape, int n, Precision precision) {
  const bool integers = precision == Precision::int8;
  const dnnl::memory::desc source({1, shape.in, n, n}, integers ? Type::u8 : Type::f32, Tag::any);
  const dnnl::memory::desc weights({shape.out, shape.in, 3, 3}, integers ? Type::s8 : Type::f32, Tag::any);
  const dnnl::memory::desc bias({shape.out}, Type::f32, Tag::x);
  const dnnl::memory::desc target({1, shape.out, n, n}, integers ? Type::u8 : Type::f32, Tag::any);
  dnnl::post_ops rectify;
  rectify.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(rectify);
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (integers)
    attributes.set_output_scales(2, std::vector<float>(static_cast<std::size_t>(shape.out), 0.01f));
  const dnnl::convolution_forward::desc what(dnnl::prop_kind::forward_inference,
                                             dnnl::algorithm::convolution_direct, source, weights, bias,
                                             target, {1, 1}, {1, 1}, {1, 1});
  const dnnl::convolution_forward::primitive_desc how(what, attributes, engine);
  Layer layer{dnnl::convolution_forward(how), {}};
  layer.arguments.emplace(DNNL_ARG_SRC, dnnl::memory(how.src_desc(), engine));
  layer.arguments.emplace(DNNL_ARG_WEIGHTS, dnnl::memory(how.weights_desc(), engine));
  layer.arguments.emplace(DNNL_ARG_BIAS, dnnl::memory(how.bias_desc(), engine));
  layer.arguments.emplace(DNNL_ARG_DST, dnnl::memory(how.dst_desc(), engine));
  layer.arguments.emplace(DNNL_ARG_SCRATCHPAD, dnnl::memory(how.scratchpad_desc(), engine));
  for (const int argument : {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_BIAS})
    fill(layer.arguments.at(argument));
  return layer;
}

}  // namespace

int image_size(std::size_t convolution, int scan_size) {
  constexpr int bottom = 12;  // down until there, then up again; the last is on top
  const int i = static_cast<int>(convolution);
  return scan_size >> (i < bottom ? i / 2 : std::max(0, 10 - i / 2));
}

struct ConvolutionFloor::Layers {
  Layers(int size, Precision precision) : engine(dnnl::engine::kind::cpu, 0), stream(engine) {
    for (std::size_t i = 0; i < convolutions().size(); ++i)
      layers.push_back(make_layer(engine, convolutions()[i], image_size(i, size), precision));
  }

  dnnl::engine engine;
  dnnl::stream stream;
  std::vector<Layer> layers;
};

ConvolutionFloor::ConvolutionFloor(int size, Precision precision, int threads) {
  keep_off_amx();
  omp_set_num_threads(threads);
  try {
    layers_ = std::make_unique<Layers>(size, precision);
  } catch (const dnnl::error& error) {
    throw Error(fmt::format("oneDNN cannot run the {} convolutions of the mask network at {}: {}",
                            to_string(precision), size, error.what()));
  }
}

ConvolutionFloor::~ConvolutionFloor() = default;

void ConvolutionFloor::run() {
  for (std::size_t i = 0; i < layers_->layers.size(); ++i) run(i);
}

void ConvolutionFloor::run(std::size_t convolution) {
  Layer& layer = layers_->layers[convolution];
  layer.convolution.execute(layers_->stream, layer.arguments);
  layers_->stream.wait();
}

}  // namespace fmbym::app
