// Winograd's transforms: tiles of pixels to frequencies, and sums of products back to pixels.
// Included once for each instruction set, hence the guard that takes turns.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>

#include "masking/vectors-inl.hpp"
#include "masking/winograd.hpp"

#if defined(FMBYM_WINOGRAD_TILES) == defined(HWY_TARGET_TOGGLE)
#ifdef FMBYM_WINOGRAD_TILES
#undef FMBYM_WINOGRAD_TILES
#else
#define FMBYM_WINOGRAD_TILES
#endif

HWY_BEFORE_NAMESPACE();
namespace fmbym::HWY_NAMESPACE {
namespace {

// a + 2^shift · b
template <int shift, class V>
HWY_INLINE V plus_times(V a, V b) {
  if constexpr (hwy::IsFloat<hn::TFromV<V>>())
    return hn::MulAdd(hn::Set(hn::DFromV<V>(), static_cast<float>(1 << shift)), b, a);
  else
    return hn::Add(a, hn::ShiftLeft<shift>(b));
}

// a - 2^shift · b
template <int shift, class V>
HWY_INLINE V minus_times(V a, V b) {
  if constexpr (hwy::IsFloat<hn::TFromV<V>>())
    return hn::NegMulAdd(hn::Set(hn::DFromV<V>(), static_cast<float>(1 << shift)), b, a);
  else
    return hn::Sub(a, hn::ShiftLeft<shift>(b));
}

// Pixels to frequencies, along one axis.
template <class V>
HWY_INLINE void transform(const V (&d)[6], V (&f)[6]) {
  const V even = hn::Sub(d[4], d[2]), odd = hn::Sub(d[3], d[1]);
  const V a = minus_times<2>(d[4], d[2]), b = minus_times<2>(d[3], d[1]);
  f[0] = plus_times<2>(even, hn::Sub(d[0], d[2]));
  f[1] = hn::Add(a, b);
  f[2] = hn::Sub(a, b);
  f[3] = plus_times<1>(even, odd);
  f[4] = minus_times<1>(even, odd);
  f[5] = minus_times<2>(hn::Sub(d[5], d[3]), odd);
}

template <class V>
HWY_INLINE void transform(const V (&d)[4], V (&f)[4]) {
  f[0] = hn::Sub(d[0], d[2]);
  f[1] = hn::Add(d[1], d[2]);
  f[2] = hn::Sub(d[2], d[1]);
  f[3] = hn::Sub(d[1], d[3]);
}

// And back.
template <class V>
HWY_INLINE void transform_back(const V (&f)[6], V (&y)[4]) {
  const auto sixth = hn::Set(kFloats, 1.0f / 6), twentyfourth = hn::Set(kFloats, 1.0f / 24);
  const V a = hn::Mul(sixth, hn::Add(f[1], f[2])), b = hn::Mul(sixth, hn::Sub(f[1], f[2]));
  const V c = hn::Mul(twentyfourth, hn::Add(f[3], f[4])), d = hn::Mul(twentyfourth, hn::Sub(f[3], f[4]));
  y[0] = hn::MulAdd(hn::Set(kFloats, 0.25f), f[0], hn::Add(a, c));
  y[1] = plus_times<1>(b, d);
  y[2] = plus_times<2>(a, c);
  y[3] = hn::Add(plus_times<3>(b, d), f[5]);
}

template <class V>
HWY_INLINE void transform_back(const V (&f)[4], V (&y)[2]) {
  const auto half = hn::Set(kFloats, 0.5f);
  y[0] = hn::MulAdd(half, hn::Add(f[1], f[2]), f[0]);
  y[1] = hn::MulSub(half, hn::Sub(f[1], f[2]), f[3]);
}

// The places of a part's tiles in the image and in the scratch memory. Tiles of 2 by 2 pixels go quarter by
// quarter of their cells. A vector may reach past the end of a row of cells; what is there belongs to the
// next row, which comes later.
template <int tile, class Visit>
HWY_INLINE void for_each_vector(const Part& part, int lanes, const Visit& visit) {
  int index = 0;
  for (int y = 0; y < 4; y += tile)
    for (int x = 0; x < 4; x += tile)
      for (int row = part.row_begin; row < part.row_end; ++row) {
        for (int column = part.column_begin; column < part.column_end; column += lanes)
          visit(4 * row + y, x, column, index + column - part.column_begin);
        index += part.column_end - part.column_begin;
      }
}

// Asks for the pixels of a vector of cells while others are worked on: parts of rows are too short for the
// processor to foresee what comes next.
template <class Pixel>
HWY_INLINE void fetch(const Planes<Pixel>& planes, const Pixel* row, int rows) {
  for (int j = 0; j < rows; ++j, row += planes.row_length()) {
    HWY_UNROLL(4)
    for (int p = 0; p < 4; ++p) hwy::Prefetch(row + planes.offset(p));
  }
}

// A tile with its margin, transformed along x: the second index is the frequency.
template <int n, class Pixel>
HWY_INLINE void transform_rows(const Pixel* corner, std::ptrdiff_t row_length,
                               const std::ptrdiff_t (&offset)[n], Vector<Pixel> (&rows)[n][n]) {
  HWY_UNROLL(6)
  for (int j = 0; j < n; ++j, corner += row_length) {
    Vector<Pixel> d[n];
    HWY_UNROLL(6)
    for (int i = 0; i < n; ++i) d[i] = Arithmetic<Pixel>::load(corner + offset[i]);
    transform(d, rows[j]);
  }
}

// Then along y.
template <int n, class V>
HWY_INLINE void transform_column(const V (&rows)[n][n], int i, V (&f)[n]) {
  V d[n];
  HWY_UNROLL(6)
  for (int j = 0; j < n; ++j) d[j] = rows[j][i];
  transform(d, f);
}

// Where the pixels of a row of a tile and its margin are.
template <int n, class Pixel>
HWY_INLINE void find_pixels(const Planes<Pixel>& in, int x, std::ptrdiff_t (&offset)[n]) {
  for (int i = 0; i < n; ++i) offset[i] = in.offset(x - 1 + i);
}

// Frequencies are (frequency, in, tile).
template <int tile>
void transform_input(const Part& part, const Planes<float>& in, int channels, std::ptrdiff_t stride,
                     float* frequencies) {
  constexpr int n = tile + 2;
  const std::ptrdiff_t step = scratch_step<float>(channels, stride), row_length = in.row_length();
  for (int c = 0; c < channels; ++c, frequencies += stride)
    for_each_vector<tile>(part, static_cast<int>(hn::Lanes(kFloats)),
                          [=, &in](int y, int x, int column, int index) HWY_ATTR {
                            Vector<float> rows[n][n], f[n];
                            std::ptrdiff_t offset[n];
                            find_pixels(in, x, offset);
                            const float* corner = in.row(c, y - 1) + column;
                            fetch(in, corner + in.plane_length(), n);
                            transform_rows(corner, row_length, offset, rows);
                            float* to = frequencies + index;
                            HWY_UNROLL(6)
                            for (int i = 0; i < n; ++i, to += step) {
                              transform_column(rows, i, f);
                              HWY_UNROLL(6)
                              for (int j = 0; j < n; ++j) hn::StoreU(f[j], kFloats, to + j * n * step);
                            }
                          });
}

// Of integers they are (frequency, pair of in, tile, 2).
template <int tile>
void transform_input(const Part& part, const Planes<std::uint8_t>& in, int channels, std::ptrdiff_t stride,
                     std::int16_t* frequencies) {
  constexpr int n = tile + 2;
  const std::ptrdiff_t step = scratch_step<std::int16_t>(channels, stride), row_length = in.row_length();
  for (int c = 0; c < channels; c += 2, frequencies += 2 * stride)
    for_each_vector<tile>(part, static_cast<int>(hn::Lanes(kShorts)),
                          [=, &in](int y, int x, int column, int index) HWY_ATTR {
                            Vector<std::uint8_t> first[n][n], second[n][n], f[n], g[n];
                            std::ptrdiff_t offset[n];
                            find_pixels(in, x, offset);
                            const std::uint8_t* corner = in.row(c, y - 1) + column;
                            fetch(in, corner + 2 * in.plane_length(), n);
                            fetch(in, corner + 3 * in.plane_length(), n);
                            transform_rows(corner, row_length, offset, first);
                            transform_rows(corner + in.plane_length(), row_length, offset, second);
                            std::int16_t* to = frequencies + 2 * index;
                            HWY_UNROLL(6)
                            for (int i = 0; i < n; ++i, to += step) {
                              transform_column(first, i, f);
                              transform_column(second, i, g);
                              HWY_UNROLL(6)
                              for (int j = 0; j < n; ++j)
                                hn::StoreInterleaved2(f[j], g[j], kShorts, to + j * n * step);
                            }
                          });
}

// The pixels of a vector of tiles; the frequencies of their products are `step` apart.
template <int tile>
HWY_INLINE void transform_products(const float* product, std::ptrdiff_t step,
                                   Vector<float> (&pixels)[tile][tile]) {
  constexpr int n = tile + 2;
  Vector<float> columns[n][tile], f[n];
  HWY_UNROLL(6)
  for (int i = 0; i < n; ++i, product += step) {
    HWY_UNROLL(6)
    for (int j = 0; j < n; ++j) f[j] = hn::LoadU(kFloats, product + j * n * step);
    transform_back(f, columns[i]);
  }
  HWY_UNROLL(4)
  for (int j = 0; j < tile; ++j) {
    HWY_UNROLL(6)
    for (int i = 0; i < n; ++i) f[i] = columns[i][j];
    transform_back(f, pixels[j]);
  }
}

// Gain, bias and ReLU of an output channel.
struct Finish {
  Vector<float> gain, bias, lowest;

  // Bytes have their lower bound by themselves.
  HWY_INLINE void store(Vector<float> sum, float* to, int count) const {
    store_some(hn::Max(hn::MulAdd(sum, gain, bias), lowest), to, count);
  }
  HWY_INLINE void store(Vector<float> sum, std::uint8_t* to, int count) const {
    store_some(to_bytes(hn::MulAdd(sum, gain, bias)), to, count);
  }
};

// The pixels of tiles that may lie partly outside of the image.
template <int tile, class Out>
HWY_INLINE void store_tiles(const Vector<float> (&pixels)[tile][tile], const Finish& finish,
                            const std::ptrdiff_t (&offset)[tile], std::ptrdiff_t row_length, int rows,
                            int count, Out* to) {
  for (int j = 0; j < rows; ++j, to += row_length) {
    HWY_UNROLL(4)
    for (int i = 0; i < tile; ++i) finish.store(pixels[j][i], to + offset[i], count);
  }
}

template <int tile, class Pixel, class Out>
void transform_output(const Convolution<Pixel>& convolution, const Part& part, std::ptrdiff_t stride,
                      const float* products, Planes<Out>& out, int first) {
  const int lanes = static_cast<int>(hn::Lanes(kFloats));
  const std::ptrdiff_t step = scratch_step<float>((part.block_end - part.block_begin) * kOutBlock, stride);
  const std::ptrdiff_t row_length = out.row_length();
  const int channel_end = std::min(part.block_end * kOutBlock, convolution.out), size = out.size();
  for (int c = part.block_begin * kOutBlock; c < channel_end; ++c, products += stride) {
    const auto channel = static_cast<std::size_t>(c);
    const OutputLine& line = convolution.output;
    const Finish finish = {hn::Set(kFloats, line.gain[channel]), hn::Set(kFloats, line.bias[channel]),
                           hn::Set(kFloats, line.lowest)};
    for_each_vector<tile>(part, lanes, [=, &part, &out](int y, int x, int column, int index) HWY_ATTR {
      Vector<float> pixels[tile][tile];
      std::ptrdiff_t offset[tile];
      for (int i = 0; i < tile; ++i) offset[i] = out.offset(x + i);
      Out* to = out.row(first + c, y) + column;
      fetch<Out>(out, to + out.plane_length(), tile);
      transform_products<tile>(products + index, step, pixels);
      const int rows = std::min(tile, size - y), count = std::min(lanes, part.column_end - column);
      if (rows == tile && count == lanes)
        store_tiles(pixels, finish, offset, row_length, tile, lanes, to);
      else
        store_tiles(pixels, finish, offset, row_length, rows, count, to);
    });
    if (part.column_end < out.cells()) continue;
    for (int y = 4 * part.row_begin; y < std::min(4 * part.row_end, out.size()); ++y)
      out.close_row(out.row(first + c, y));
  }
}

}  // namespace
}  // namespace fmbym::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
