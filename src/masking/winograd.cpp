// Compiled once for each instruction set; the best that the processor has is chosen when it runs.
#include "masking/winograd.hpp"

#include "masking/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "masking/winograd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which sets the target.
#include <hwy/highway.h>

#include "masking/winograd_products-inl.hpp"
#include "masking/winograd_tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fmbym::HWY_NAMESPACE {
namespace {

template <int tile, class Pixel, class Out>
void convolve_tiles(const Convolution<Pixel>& convolution, const Part& part, const Planes<Pixel>& in,
                    Planes<Out>& out, int first, Scratch& scratch) {
  using Number = typename Convolution<Pixel>::Number;
  const int tiles = part.cells() * convolution.tiles_per_cell();
  const std::ptrdiff_t stride = scratch_stride(tiles);
  Number* frequencies = reinterpret_cast<Number*>(scratch.frequencies.get());
  float* products = reinterpret_cast<float*>(scratch.products.get());
  transform_input<tile>(part, in, convolution.in, stride, frequencies);
  multiply(convolution, part, tiles, stride, frequencies, products);
  transform_output<tile>(convolution, part, stride, products, out, first);
}

template <class Pixel, class Out>
HWY_INLINE void convolve_any(const Convolution<Pixel>& convolution, const Part& part, const Planes<Pixel>& in,
                             Planes<Out>& out, int first, Scratch& scratch) {
  if (convolution.tile == 4)
    convolve_tiles<4>(convolution, part, in, out, first, scratch);
  else
    convolve_tiles<2>(convolution, part, in, out, first, scratch);
}

void float_to_float(const Convolution<float>& convolution, const Part& part, const Planes<float>& in,
                    Planes<float>& out, int first, Scratch& scratch) {
  convolve_any(convolution, part, in, out, first, scratch);
}
void float_to_byte(const Convolution<float>& convolution, const Part& part, const Planes<float>& in,
                   Planes<std::uint8_t>& out, int first, Scratch& scratch) {
  convolve_any(convolution, part, in, out, first, scratch);
}
void byte_to_float(const Convolution<std::uint8_t>& convolution, const Part& part,
                   const Planes<std::uint8_t>& in, Planes<float>& out, int first, Scratch& scratch) {
  convolve_any(convolution, part, in, out, first, scratch);
}
void byte_to_byte(const Convolution<std::uint8_t>& convolution, const Part& part,
                  const Planes<std::uint8_t>& in, Planes<std::uint8_t>& out, int first, Scratch& scratch) {
  convolve_any(convolution, part, in, out, first, scratch);
}

}  // namespace
}  // namespace fmbym::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fmbym {

HWY_EXPORT(float_to_float);
HWY_EXPORT(float_to_byte);
HWY_EXPORT(byte_to_float);
HWY_EXPORT(byte_to_byte);

void convolve(const Convolution<float>& convolution, const Part& part, const Planes<float>& in,
              Planes<float>& out, int first, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(float_to_float)(convolution, part, in, out, first, scratch);
}
void convolve(const Convolution<float>& convolution, const Part& part, const Planes<float>& in,
              Planes<std::uint8_t>& out, int first, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(float_to_byte)(convolution, part, in, out, first, scratch);
}
void convolve(const Convolution<std::uint8_t>& convolution, const Part& part, const Planes<std::uint8_t>& in,
              Planes<float>& out, int first, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(byte_to_float)(convolution, part, in, out, first, scratch);
}
void convolve(const Convolution<std::uint8_t>& convolution, const Part& part, const Planes<std::uint8_t>& in,
              Planes<std::uint8_t>& out, int first, Scratch& scratch) {
  HWY_DYNAMIC_DISPATCH(byte_to_byte)(convolution, part, in, out, first, scratch);
}

}  // namespace fmbym
#endif  // HWY_ONCE
