// Compiled once for each instruction set; the best that the processor has is chosen when it runs.
#include "masking/resampling.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "masking/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "masking/resampling.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which sets the target.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "masking/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fmbym::HWY_NAMESPACE {
namespace {

// The larger of pixels 2i and 2i + 1 of two rows, for every other cell: the pixels x and x + 1 of a cell.
template <class Pixel>
HWY_INLINE void pool_row(const Planes<Pixel>& in, const Pixel* upper, const Pixel* lower, int x,
                         Planes<Pixel>& out, Pixel* row) {
  const hn::ScalableTag<Pixel> tag;
  const int lanes = static_cast<int>(hn::Lanes(tag));
  for (int cell = 0; cell < out.cells(); cell += lanes) {
    hn::Vec<decltype(tag)> even[4], odd[4];
    int i = 0;
    for (const Pixel* from : {upper, lower})
      for (int p = x; p < x + 2; ++p, ++i)
        hn::LoadInterleaved2(tag, from + in.offset(p) + 2 * cell, even[i], odd[i]);
    const auto largest = [](const auto(&v)[4])
                             HWY_ATTR { return hn::Max(hn::Max(v[0], v[1]), hn::Max(v[2], v[3])); };
    const int count = std::min(lanes, out.cells() - cell);
    store_some(largest(even), row + out.offset(x / 2) + cell, count);
    store_some(largest(odd), row + out.offset(2 + x / 2) + cell, count);
  }
}

template <class Pixel>
HWY_INLINE void pool_channels(const Planes<Pixel>& in, int first, Planes<Pixel>& out, Rows rows) {
  for (int c = 0; c < out.channels(); ++c)
    for (int y = rows.begin; y < rows.end; ++y) {
      Pixel* row = out.row(c, y);
      for (const int x : {0, 2})
        pool_row(in, in.row(first + c, 2 * y), in.row(first + c, 2 * y + 1), x, out, row);
      out.close_row(row);
    }
}

void pool_floats(const Planes<float>& in, int first, Planes<float>& out, Rows rows) {
  pool_channels(in, first, out, rows);
}
void pool_bytes(const Planes<std::uint8_t>& in, int first, Planes<std::uint8_t>& out, Rows rows) {
  pool_channels(in, first, out, rows);
}

using Floats = hn::Vec<decltype(kFloats)>;
using Shorts = hn::Vec<decltype(kShorts)>;

// What pixels are blended as.
HWY_INLINE Floats load_blendable(const float* from) {
  return hn::LoadU(kFloats, from);
}
HWY_INLINE Shorts load_blendable(const std::uint8_t* from) {
  return hn::ShiftLeft<7>(Arithmetic<std::uint8_t>::load(from));
}

HWY_INLINE Floats times(Floats weight, Floats v) {
  return hn::Mul(weight, v);
}
HWY_INLINE Shorts times(Shorts weight, Shorts v) {
  return hn::MulFixedPoint15(weight, v);
}

// The first `count` of even, odd, even, odd ….
HWY_INLINE void store_alternating(Floats even, Floats odd, float* to, int count) {
  const int lanes = static_cast<int>(hn::Lanes(kFloats));
  if (count >= 2 * lanes) {
    hn::StoreInterleaved2(even, odd, kFloats, to);
    return;
  }
  HWY_ALIGN float pixels[2 * hn::MaxLanes(kFloats)];
  hn::StoreInterleaved2(even, odd, kFloats, pixels);
  std::copy_n(pixels, count, to);
}
// Two bytes side by side are one number of 16 bits, the first of them its lower half.
HWY_INLINE void store_alternating(Shorts even, Shorts odd, std::uint8_t* to, int count) {
  const auto rounded = [](Shorts v)
                           HWY_ATTR { return hn::ShiftRight<7>(hn::Add(v, hn::Set(kShorts, 1 << 6))); };
  const Shorts pixels = hn::Or(rounded(even), hn::ShiftLeft<8>(rounded(odd)));
#if HWY_TARGET == HWY_SCALAR
  const std::int16_t both = hn::GetLane(pixels);
  std::memcpy(to, &both, static_cast<std::size_t>(std::min(count, 2)));
#else
  store_some(hn::BitCast(kBytes, pixels), to, count);
#endif
}

// Between two rows, borders included: the result begins one before the pixel x = 0, as the rows do.
template <class Pixel, class Number>
HWY_INLINE void blend_rows(const Pixel* first, const Pixel* second, Number weight, int length,
                           Number* result) {
  const hn::ScalableTag<Number> tag;
  const auto w = hn::Set(tag, weight);
  for (int i = 0; i < length; i += static_cast<int>(hn::Lanes(tag))) {
    const auto a = load_blendable(first + i), b = load_blendable(second + i);
    hn::StoreU(hn::Add(a, times(w, hn::Sub(b, a))), tag, result + i);
  }
}

// The eight pixels that the four of each cell become.
template <class Pixel, class Number>
HWY_INLINE void stretch_row(const Upsampling<Pixel>& upsampling, const Planes<Pixel>& in, const Number* row,
                            const Planes<Pixel>& out, Pixel* result) {
  const hn::ScalableTag<Number> tag;
  const int lanes = static_cast<int>(hn::Lanes(tag));
  for (int cell = 0; cell < upsampling.input_cells(); cell += lanes) {
    hn::Vec<decltype(tag)> s[6], y[8];
    for (int i = 0; i < 6; ++i) s[i] = hn::LoadU(tag, row + in.offset(i - 1) + cell);
    for (int p = 0; p < 8; ++p) {
      const auto part = [&](int t) HWY_ATTR {
        return times(hn::LoadU(tag, upsampling.weights(p, t) + cell), s[p / 2 + t]);
      };
      y[p] = hn::Add(part(0), part(1));
      if (p % 2) y[p] = hn::Add(y[p], part(2));
    }
    const int count = std::min(2 * lanes, out.cells() - 2 * cell);
    for (int p = 0; p < 4; ++p) store_alternating(y[p], y[p + 4], result + out.offset(p) + 2 * cell, count);
  }
}

template <class Pixel>
HWY_INLINE void upsample_channels(const Upsampling<Pixel>& upsampling, const Planes<Pixel>& in,
                                  Planes<Pixel>& out, Rows rows) {
  constexpr int kLongest = 8192;
  HWY_ALIGN typename Upsampling<Pixel>::Number blended[kLongest];
  for (int c = 0; c < in.channels(); ++c)
    for (int y = rows.begin; y < rows.end; ++y) {
      const auto& between = upsampling.row(y);
      blend_rows(in.row(c, between.first) - 1, in.row(c, between.second) - 1, between.weight, in.row_length(),
                 blended);
      Pixel* row = out.row(c, y);
      stretch_row(upsampling, in, blended + 1, out, row);
      out.close_row(row);
    }
}

void upsample_floats(const Upsampling<float>& upsampling, const Planes<float>& in, Planes<float>& out,
                     Rows rows) {
  upsample_channels(upsampling, in, out, rows);
}
void upsample_bytes(const Upsampling<std::uint8_t>& upsampling, const Planes<std::uint8_t>& in,
                    Planes<std::uint8_t>& out, Rows rows) {
  upsample_channels(upsampling, in, out, rows);
}

HWY_INLINE Floats sigmoid(Floats x) {
  const auto one = hn::Set(kFloats, 1.0f);
  const auto farthest = hn::Set(kFloats, 104.0f);  // of Highway's Exp: infinite here, and wrong beyond
  return hn::Div(one, hn::Add(one, hn::Exp(kFloats, hn::Min(hn::Neg(x), farthest))));
}

void sigmoid_grid_row(const Grid<float>& in, int channel, int y, float* mask) {
  const float* row = in.row(channel, y);
  for (int x = 0; x < in.size(); x += static_cast<int>(hn::Lanes(kFloats)))
    store_some(sigmoid(hn::LoadU(kFloats, row + x)), mask + x, in.size() - x);
}

void sigmoid_row(const Planes<float>& in, int channel, int y, float* mask) {
  const int lanes = static_cast<int>(hn::Lanes(kFloats));
  const float* row = in.row(channel, y);
  HWY_ALIGN float pixels[4 * hn::MaxLanes(kFloats)];
  for (int cell = 0; cell < in.cells(); cell += lanes) {
    Floats m[4];
    for (int p = 0; p < 4; ++p) m[p] = sigmoid(hn::LoadU(kFloats, row + in.offset(p) + cell));
    hn::StoreInterleaved4(m[0], m[1], m[2], m[3], kFloats, pixels);
    std::copy_n(pixels, std::min(4 * lanes, in.size() - 4 * cell), mask + 4 * cell);
  }
}

}  // namespace
}  // namespace fmbym::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fmbym {

HWY_EXPORT(pool_floats);
HWY_EXPORT(pool_bytes);
HWY_EXPORT(upsample_floats);
HWY_EXPORT(upsample_bytes);
HWY_EXPORT(sigmoid_row);
HWY_EXPORT(sigmoid_grid_row);

void load_row(const Image& image, int y, float mean, float scale, Planes<float>& out, int channel) {
  const float* from = image.row(y);
  float* to = out.row(channel, y);
  for (int p = 0; p < 4; ++p) {
    float* part = to + out.offset(p);
    for (int x = p; x < image.size(); x += 4) part[x / 4] = (from[x] - mean) * scale;
  }
}

void pool(const Planes<float>& in, int first, Planes<float>& out, Rows rows) {
  HWY_DYNAMIC_DISPATCH(pool_floats)(in, first, out, rows);
}
void pool(const Planes<std::uint8_t>& in, int first, Planes<std::uint8_t>& out, Rows rows) {
  HWY_DYNAMIC_DISPATCH(pool_bytes)(in, first, out, rows);
}

Place place_between(int x, int size) {
  const int from = size / 2;
  const double place = std::max(0.0, (x + 0.5) * from / size - 0.5);
  const int first = std::min(static_cast<int>(place), from - 1), second = std::min(first + 1, from - 1);
  return {first, second, second > first ? place - first : 0};
}

std::int16_t to_fixed_point(double weight) {
  return static_cast<std::int16_t>(std::min(32767L, std::lround(32768 * weight)));
}

template <>
float Upsampling<float>::number(double weight) {
  return static_cast<float>(weight);
}
template <>
std::int16_t Upsampling<std::uint8_t>::number(double weight) {
  return to_fixed_point(weight);
}

template <class Pixel>
Upsampling<Pixel>::Upsampling(int size) : input_cells_((size + 7) / 8), stride_(input_cells_ + 64) {
  weights_.resize(static_cast<std::size_t>(8 * 3 * stride_));
  for (int x = 0; x < size; ++x) {
    const auto [first, second, weight] = place_between(x, size);
    rows_.push_back({first, second, number(weight)});
    const int k = x / 2;
    Number* taps = weights_.data() + (x % 8) * 3 * stride_ + x / 8;
    if (weight > 0) taps[(second - k + 1) * stride_] = number(weight);
    taps[(first - k + 1) * stride_] = number(1 - weight);
  }
}
template class Upsampling<float>;
template class Upsampling<std::uint8_t>;

template <>
void Upsampling<float>::run(const Planes<float>& in, Planes<float>& out, Rows rows) const {
  HWY_DYNAMIC_DISPATCH(upsample_floats)(*this, in, out, rows);
}
template <>
void Upsampling<std::uint8_t>::run(const Planes<std::uint8_t>& in, Planes<std::uint8_t>& out,
                                   Rows rows) const {
  HWY_DYNAMIC_DISPATCH(upsample_bytes)(*this, in, out, rows);
}

void store_mask_row(const Planes<float>& in, int channel, int y, Image& mask) {
  HWY_DYNAMIC_DISPATCH(sigmoid_row)(in, channel, y, mask.row(y));
}
void store_mask_row(const Grid<float>& in, int channel, int y, Image& mask) {
  HWY_DYNAMIC_DISPATCH(sigmoid_grid_row)(in, channel, y, mask.row(y));
}

}  // namespace fmbym
#endif  // HWY_ONCE
