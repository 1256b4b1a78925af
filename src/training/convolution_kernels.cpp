// Compiled once for each instruction set; the best that the processor has is chosen when it runs.
#include "training/convolution_kernels.hpp"

#include "masking/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "training/convolution_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which sets the target.
#include <hwy/highway.h>

#include "training/products-inl.hpp"
#include "training/winograd_tiles-inl.hpp"
#include "training/winograd_weights-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fmbym::training::HWY_NAMESPACE {
namespace {

constexpr std::int64_t kRowsAtOnce = 12;  // of a product: three times 4, twice 6 or once 12

// Tiles that are worked on at once: what becomes of them fits into the second-level cache, if they are not
// too few for the products then.
std::int64_t tiles_at_once(std::int64_t tiles, std::int64_t channels) {
  constexpr std::int64_t cache = 65536, least = 2;  // [floats], [products]
  return std::min(tiles, std::max(least, cache / (kFrequencies * channels * kRowsAtOnce)) * kRowsAtOnce);
}

// Bᵀ d B of the tiles from `first` on → (tile, channel) of each frequency
void transform_input(const ConstTiled& images, std::int64_t first, std::int64_t tiles, std::int64_t stride,
                     const Frequencies& to) {
  const std::int64_t step = to.step();
  for (std::int64_t t = 0; t < tiles; ++t) {
    Place at = place_of(images, first + t);
    --at.y, --at.x;  // the margin
    for (std::int64_t c = 0; c < stride; c += kLanes) {
      float* first_frequency = to.of(0) + t * stride + c;
      transform_pixels<FromPixels>(images, at, c, [first_frequency, step](int y, int x, Vector v) HWY_ATTR {
        store(v, first_frequency + (6 * y + x) * step);
      });
    }
  }
}

// (tile, in) · (in, out) → (tile, out) of each frequency
using Multiply = void(const Frequencies& input, const WeightPanels& weight, std::int64_t tiles,
                      const Frequencies& products);

// `depth` is the number of channels if the compiler is to know it: few are multiplied in no time, and what is
// around them counts.
template <int vectors, int depth>
void multiply_tiles(const Frequencies& input, const WeightPanels& weight, std::int64_t tiles,
                    const Frequencies& products) {
  constexpr int rows = int(kRowsAtOnce) / vectors;
  const std::int64_t in = depth > 0 ? depth : weight.padded_rows(), width = vectors * kLanes;
  const std::int64_t out = weight.panels().count * width;
  for (int f = 0; f < kFrequencies; ++f)
    for (std::int64_t panel = weight.begin(); panel < weight.end(); ++panel) {
      const float* factor = weight.panel(f, panel);
      const float* rows_in = input.of(f);
      float* rows_out = products.of(f) + panel * width;
      for (std::int64_t t = 0; t < tiles; t += rows, rows_in += rows * in, rows_out += rows * out)
        multiply_block<rows, vectors, false>(rows_in, in, 1, factor, in, rows_out, out);
    }
}

template <int vectors>
Multiply* multiply_for(std::int64_t depth) {
  if (depth == 8) return multiply_tiles<vectors, 8>;
  if (depth == 16) return multiply_tiles<vectors, 16>;
  if (depth == 24) return multiply_tiles<vectors, 24>;
  return multiply_tiles<vectors, 0>;
}

Multiply* multiply_for(const WeightPanels& weight) {
  if (weight.panels().vectors == 3) return multiply_for<3>(weight.padded_rows());
  if (weight.panels().vectors == 2) return multiply_for<2>(weight.padded_rows());
  return multiply_for<1>(weight.padded_rows());
}

void transform_output(const Frequencies& products, std::int64_t stride, std::int64_t first,
                      std::int64_t tiles, const MutableTiled& out) {
  for (std::int64_t t = 0; t < tiles; ++t) {
    const Place at = place_of(out, first + t);
    for (std::int64_t c = 0; c < out.channels; c += kLanes) {
      const float* from = products.of(0) + t * stride + c;
      const std::int64_t step = products.step();
      transform_to_pixels(out, at, c,
                          [from, step](int y, int x) HWY_ATTR { return load(from + (6 * y + x) * step); });
    }
  }
}

void convolve_tiles(const ConstTiled& images, const WeightMatrix& shape, const float* weight,
                    const MutableTiled& out) {
  const std::int64_t in_stride = shape.padded_rows(), out_stride = shape.padded_columns();
  const std::int64_t part = tiles_at_once(images.tiles(), in_stride + out_stride);
  const std::int64_t padded = rounded_up(part, kRowsAtOnce);
  WeightPanels panels(shape, part == images.tiles());
  Frequencies input(padded * in_stride), products(padded * out_stride);
  for (int f = 0; f < kFrequencies; ++f)  // rows that are multiplied for company
    std::fill(input.of(f) + part * in_stride, input.of(f) + padded * in_stride, 0.F);
  Multiply* const multiply = multiply_for(panels);
  for (std::int64_t first = 0; first < images.tiles(); first += part) {
    const std::int64_t tiles = std::min(part, images.tiles() - first);
    transform_input(images, first, tiles, in_stride, input);
    for (std::int64_t panel = 0; panel < panels.panels().count; panel += panels.held()) {
      panels.hold_from(panel);
      if (first == 0) panels.transform_from(weight);
      multiply(input, panels, tiles, products);
    }
    transform_output(products, out_stride, first, tiles, out);
  }
}

// A dout Aᵀ of the tiles from `first` on → (panel, tile, column in the panel) of each frequency
void transform_gradient(const ConstTiled& gradient, std::int64_t first, std::int64_t tiles,
                        const Panels& panels, const Frequencies& to) {
  const std::int64_t step = to.step();
  for (std::int64_t t = 0; t < tiles; ++t) {
    const Place at = place_of(gradient, first + t);
    for (std::int64_t c = 0; c < panels.count * panels.width; c += kLanes) {
      float* first_frequency = to.of(0) + (c / panels.width * tiles + t) * panels.width + c % panels.width;
      transform_pixels<FromPixelGradients>(gradient, at, c,
                                           [first_frequency, step](int y, int x, Vector v)
                                               HWY_ATTR { store(v, first_frequency + (6 * y + x) * step); });
    }
  }
}

// (tile, in)ᵀ · (tile, out) → (in, out) of each frequency, or added to it
using Sum = void(const Frequencies& input, const Frequencies& gradient, std::int64_t tiles,
                 const WeightPanels& sums);

template <int vectors, bool add>
void sum_tiles(const Frequencies& input, const Frequencies& gradient, std::int64_t tiles,
               const WeightPanels& sums) {
  constexpr int rows = vectors == 1 ? 8 : 4;  // both divide the padded number of channels
  const std::int64_t in = sums.padded_rows(), width = vectors * kLanes;
  for (int f = 0; f < kFrequencies; ++f)
    for (std::int64_t panel = sums.begin(); panel < sums.end(); ++panel)
      for (std::int64_t row = 0; row < in; row += rows)
        multiply_block<rows, vectors, add>(input.of(f) + row, 1, in, gradient.of(f) + panel * tiles * width,
                                           tiles, sums.panel(f, panel) + row * width, width);
}

template <bool add>
Sum* sum_for(int vectors) {
  return vectors == 3 ? sum_tiles<3, add> : vectors == 2 ? sum_tiles<2, add> : sum_tiles<1, add>;
}

void weight_gradient_tiles(const ConstTiled& images, const ConstTiled& gradient, const WeightMatrix& shape,
                           float* out) {
  const std::int64_t in_stride = shape.padded_rows(), out_stride = shape.padded_columns();
  const std::int64_t part = tiles_at_once(images.tiles(), in_stride + out_stride);
  WeightPanels sums(shape, part == images.tiles());
  const Frequencies input(part * in_stride), gradients(part * out_stride);
  Sum* const set = sum_for<false>(sums.panels().vectors);
  Sum* const add = sum_for<true>(sums.panels().vectors);
  for (std::int64_t first = 0; first < images.tiles(); first += part) {
    const std::int64_t tiles = std::min(part, images.tiles() - first);
    transform_input(images, first, tiles, in_stride, input);
    transform_gradient(gradient, first, tiles, sums.panels(), gradients);
    for (std::int64_t panel = 0; panel < sums.panels().count; panel += sums.held()) {
      sums.hold_from(panel);
      (first == 0 ? set : add)(input, gradients, tiles, sums);
      if (first + tiles == images.tiles()) sums.transform_to(out);
    }
  }
}

void forward(const ImagesSize& size, const float* images, WeightShape shape, const float* weight,
             float* out) {
  convolve_tiles({images, size, shape.in}, {shape.in, shape.out, 9, 9 * shape.in, false}, weight,
                 {out, size, shape.out});
}

void backward(const ImagesSize& size, const float* gradient, WeightShape shape, const float* weight,
              float* out) {
  convolve_tiles({gradient, size, shape.out}, {shape.out, shape.in, 9 * shape.in, 9, true}, weight,
                 {out, size, shape.in});
}

void backward_weight(const ImagesSize& size, const float* images, const float* gradient, WeightShape shape,
                     float* out) {
  weight_gradient_tiles({images, size, shape.in}, {gradient, size, shape.out},
                        {shape.in, shape.out, 9, 9 * shape.in, false}, out);
}

}  // namespace
}  // namespace fmbym::training::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fmbym::training {

HWY_EXPORT(forward);
HWY_EXPORT(backward);
HWY_EXPORT(backward_weight);

void convolve(const ImagesSize& size, const float* images, WeightShape shape, const float* weight,
              float* out) {
  HWY_DYNAMIC_DISPATCH(forward)(size, images, shape, weight, out);
}

void convolve_back(const ImagesSize& size, const float* gradient, WeightShape shape, const float* weight,
                   float* out) {
  HWY_DYNAMIC_DISPATCH(backward)(size, gradient, shape, weight, out);
}

void weight_gradient(const ImagesSize& size, const float* images, const float* gradient, WeightShape shape,
                     float* out) {
  HWY_DYNAMIC_DISPATCH(backward_weight)(size, images, gradient, shape, out);
}

}  // namespace fmbym::training
#endif  // HWY_ONCE
