// ./build/release/bench/fmbym_convolution_bench [SIZE]: each convolution of the mask network, ours and
// oneDNN's in turn on one thread, in floating point and in 8 bits; the fastest of many passes.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "app/convolution_floor.hpp"
#include "fmbym/core/stopwatch.hpp"
#include "fmbym/masking/quantizer.hpp"
#include "masking/layer.hpp"

namespace fmbym {
namespace {

constexpr int kPasses = 60;

void fill(Planes<float>& planes, int c, int y, int x, int value) {
  planes.row(c, y)[planes.offset(x)] = static_cast<float>(value);
}
void fill(Planes<std::uint8_t>& planes, int c, int y, int x, int value) {
  planes.row(c, y)[planes.offset(x)] = static_cast<std::uint8_t>(value);
}
void fill(Grid<FourChannels>& grid, int c, int y, int x, int value) {
  grid.row(c / 4, y)[x] |= static_cast<FourChannels>(value) << (8 * (c % 4));
}

// Ours, from maps of one kind to others of that kind.
template <class Maps>
class Ours {
 public:
  Ours(const ConvolutionShape& shape, const ConvolutionWeights& weights, int size)
      : in_(shape.in, size), out_(shape.out, size), layer_(make_layer(in_, shape, weights, 1, 1)) {
    for (int c = 0; c < shape.in; ++c)
      for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) fill(in_, c, y, x, (7 * x + 3 * y + c) % 5);
    const ScratchSize bytes = scratch_size(layer_);
    if (bytes.frequencies == 0) return;
    scratch_ = {hwy::AllocateAligned<std::byte>(bytes.frequencies),
                hwy::AllocateAligned<std::byte>(bytes.products)};
  }

  void run() {
    for (const auto& part : layer_.parts) convolve(layer_.convolution, part, in_, out_, 0, scratch_);
  }

 private:
  Maps in_, out_;
  decltype(make_layer(in_, {}, {}, 1, 1)) layer_;
  Scratch scratch_;
};

struct Times {
  double ours = 1e9, onednn = 1e9;  // [ms]
};

template <class Maps>
Times compare(std::size_t i, const MaskModel& model, int size, app::ConvolutionFloor& onednn) {
  Ours<Maps> ours(convolutions()[i], model.layers[i], size);
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
    const Times times = compare<Planes<float>>(i, model, n, floats);
    add(all, times);
    std::string row =
        fmt::format("| {} | {} → {} | {} | {} |", shape.name, shape.in, shape.out, n, cell(times));
    if (integers.layers[i].quantized) {
      const Times eight = has_byte_products() ? compare<Grid<FourChannels>>(i, integers, n, bytes)
                                              : compare<Planes<std::uint8_t>>(i, integers, n, bytes);
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
