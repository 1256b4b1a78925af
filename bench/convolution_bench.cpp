// ./build/release/bench/fmbym_convolution_bench [SIZE]: each convolution of the mask network, ours and
// oneDNN's in turn on one thread, in floating point and in 8 bits; the fastest of many passes.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "app/convolution_floor.hpp"
#include "fmbym/core/stopwatch.hpp"
#include "fmbym/masking/quantizer.hpp"
#include "masking/cut.hpp"

namespace fmbym {
namespace {

constexpr int kPasses = 60;

// Ours, on images of one size, with pixels of one type.
template <class Pixel>
class Layer {
 public:
  Layer(const ConvolutionShape& shape, const ConvolutionWeights& weights, int size)
      : convolution_(make(shape, weights, best_tile((size + 3) / 4))),
        in_(shape.in, size),
        out_(shape.out, size),
        parts_(cut_into_parts(convolution_, in_.cells(), 1)) {
    for (int c = 0; c < shape.in; ++c)
      for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) in_.row(c, y)[in_.offset(x)] = Pixel((7 * x + 3 * y + c) % 5);
    ScratchSize bytes;
    for (const Part& part : parts_) bytes = larger(bytes, scratch_size(convolution_, part));
    scratch_ = {hwy::AllocateAligned<std::byte>(bytes.frequencies),
                hwy::AllocateAligned<std::byte>(bytes.products)};
  }

  void run() {
    for (const Part& part : parts_) convolve(convolution_, part, in_, out_, 0, scratch_);
  }

 private:
  static auto make(const ConvolutionShape& shape, const ConvolutionWeights& weights, int tile) {
    if constexpr (std::is_same_v<Pixel, float>)
      return make_convolution(shape, weights, tile, 1);
    else
      return make_quantized_convolution(shape, weights, tile, 1);
  }

  Convolution<Pixel> convolution_;
  Planes<Pixel> in_, out_;
  std::vector<Part> parts_;
  Scratch scratch_;
};

struct Times {
  double ours = 1e9, onednn = 1e9;  // [ms]
};

template <class Pixel>
Times compare(std::size_t i, const MaskModel& model, int size, app::ConvolutionFloor& onednn) {
  Layer<Pixel> ours(convolutions()[i], model.layers[i], size);
  Times times;
  for (int pass = 0; pass < kPasses; ++pass) {
    Stopwatch watch;
    ours.run();
    times.ours = std::min(times.ours, watch.lap_ms());
    onednn.run(i);
    times.onednn = std::min(times.onednn, watch.lap_ms());
  }
  return times;
}

std::string cell(const Times& times) {
  return fmt::format("{:.3f} | {:.3f} | {:.1f}", times.ours, times.onednn, times.onednn / times.ours);
}

void run(int size) {
  const MaskModel model = random_model(1, size);
  Quantizer quantizer(model, size);
  const Image noise(size, 1);
  quantizer.observe(noise, noise);
  const MaskModel integers = quantizer.quantized();
  app::ConvolutionFloor floats(size, Precision::fp32, 1), bytes(size, Precision::int8, 1);
  fmt::print("| | channels | pixels | fp32 ours [ms] | oneDNN | times | int8 ours | oneDNN | times |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
  Times all, all_bytes;
  all = all_bytes = {0, 0};
  const auto add = [](Times& sum, const Times& times) {
    sum.ours += times.ours;
    sum.onednn += times.onednn;
  };
  for (std::size_t i = 0; i < convolutions().size(); ++i) {
    const ConvolutionShape& shape = convolutions()[i];
    const int n = app::image_size(i, size);
    const Times times = compare<float>(i, model, n, floats);
    add(all, times);
    std::string row =
        fmt::format("| {} | {} → {} | {} | {} |", shape.name, shape.in, shape.out, n, cell(times));
    if (integers.layers[i].quantized) {
      const Times eight = compare<std::uint8_t>(i, integers, n, bytes);
      add(all_bytes, eight);
      row += fmt::format(" {} |", cell(eight));
    } else {
      row += " – | – | – |";
    }
    fmt::print("{}\n", row);
  }
  fmt::print("| all of these | | | {} | {} |\n", cell(all), cell(all_bytes));
}

}  // namespace
}  // namespace fmbym

int main(int count, char** arguments) {
  fmbym::run(count > 1 ? std::atoi(arguments[1]) : 255);
}
