// Compiled once for each instruction set; the best that the processor has is chosen when it runs.
#include "masking/resampling.hpp"

#include <algorithm>
#include <cmath>

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

HWY_INLINE auto load_floats(const float* from) {
  return hn::LoadU(kFloats, from);
}
HWY_INLINE auto load_floats(const std::uint8_t* from) {
  const hn::Rebind<std::int32_t, decltype(kFloats)> integers;
  const hn::Rebind<std::uint8_t, decltype(kFloats)> bytes;
  return hn::ConvertTo(kFloats, hn::PromoteTo(integers, hn::LoadU(bytes, from)));
}

using Floats = hn::Vec<decltype(kFloats)>;

HWY_INLINE void store_alternating(Floats even, Floats odd, float* to) {
  hn::StoreInterleaved2(even, odd, kFloats, to);
}
HWY_INLINE void store_alternating(Floats even, Floats odd, std::uint8_t* to) {
  hn::StoreInterleaved2(to_bytes(even), to_bytes(odd), hn::Rebind<std::uint8_t, decltype(kFloats)>(), to);
}

// Between two rows, borders included: the result begins one before the pixel x = 0, as the rows do.
template <class Pixel>
HWY_INLINE void blend_rows(const Pixel* first, const Pixel* second, float weight, int length, float* result) {
  const auto w = hn::Set(kFloats, weight);
  for (int i = 0; i < length; i += static_cast<int>(hn::Lanes(kFloats))) {
    const Floats a = load_floats(first + i), b = load_floats(second + i);
    hn::StoreU(hn::MulAdd(w, hn::Sub(b, a), a), kFloats, result + i);
  }
}

// The eight pixels that the four of each cell become; the parts of the result are `length` apart.
template <class Pixel>
HWY_INLINE void stretch_row(const Upsampling& upsampling, const Planes<Pixel>& in, const float* row,
                            int length, Pixel* result) {
  for (int cell = 0; cell < upsampling.input_cells(); cell += static_cast<int>(hn::Lanes(kFloats))) {
    Floats s[6], y[8];
    for (int i = 0; i < 6; ++i) s[i] = hn::LoadU(kFloats, row + in.offset(i - 1) + cell);
    for (int p = 0; p < 8; ++p) {
      const auto tap = [&](int t) HWY_ATTR { return hn::LoadU(kFloats, upsampling.weights(p, t) + cell); };
      y[p] = hn::MulAdd(tap(0), s[p / 2], hn::Mul(tap(1), s[p / 2 + 1]));
      if (p % 2) y[p] = hn::MulAdd(tap(2), s[p / 2 + 2], y[p]);
    }
    for (int p = 0; p < 4; ++p) store_alternating(y[p], y[p + 4], result + p * length + 2 * cell);
  }
}

template <class Pixel>
HWY_INLINE void upsample_channels(const Upsampling& upsampling, const Planes<Pixel>& in, Planes<Pixel>& out,
                                  Rows rows) {
  constexpr int kBeyond = 64;  // vectors may reach past the last cell
  constexpr int kLongest = 8192;
  HWY_ALIGN float blended[kLongest];
  HWY_ALIGN Pixel stretched[kLongest];
  const int length = out.cells() + kBeyond;
  for (int c = 0; c < in.channels(); ++c)
    for (int y = rows.begin; y < rows.end; ++y) {
      const Upsampling::Between& between = upsampling.row(y);
      blend_rows(in.row(c, between.first) - 1, in.row(c, between.second) - 1, between.weight, in.row_length(),
                 blended);
      stretch_row(upsampling, in, blended + 1, length, stretched);
      Pixel* row = out.row(c, y);
      for (int p = 0; p < 4; ++p) std::copy_n(stretched + p * length, out.cells(), row + out.offset(p));
      out.close_row(row);
    }
}

void upsample_floats(const Upsampling& upsampling, const Planes<float>& in, Planes<float>& out, Rows rows) {
  upsample_channels(upsampling, in, out, rows);
}
void upsample_bytes(const Upsampling& upsampling, const Planes<std::uint8_t>& in, Planes<std::uint8_t>& out,
                    Rows rows) {
  upsample_channels(upsampling, in, out, rows);
}

HWY_INLINE Floats sigmoid(Floats x) {
  const auto one = hn::Set(kFloats, 1.0f);
  const auto farthest = hn::Set(kFloats, 104.0f);  // of Highway's Exp: infinite here, and wrong beyond
  return hn::Div(one, hn::Add(one, hn::Exp(kFloats, hn::Min(hn::Neg(x), farthest))));
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

Upsampling::Upsampling(int size) : input_cells_((size + 7) / 8), stride_(input_cells_ + 64) {
  const int from = size / 2;
  weights_.resize(static_cast<std::size_t>(8 * 3 * stride_));
  for (int x = 0; x < size; ++x) {
    const double place = std::max(0.0, (x + 0.5) * from / size - 0.5);
    const int first = std::min(static_cast<int>(place), from - 1), second = std::min(first + 1, from - 1);
    const auto weight = static_cast<float>(place - first);
    rows_.push_back({first, second, weight});
    const int k = x / 2;
    float* taps = weights_.data() + (x % 8) * 3 * stride_ + x / 8;
    taps[(first - k + 1) * stride_] += 1 - weight;
    taps[(second - k + 1) * stride_] += weight;
  }
}

void Upsampling::run(const Planes<float>& in, Planes<float>& out, Rows rows) const {
  HWY_DYNAMIC_DISPATCH(upsample_floats)(*this, in, out, rows);
}
void Upsampling::run(const Planes<std::uint8_t>& in, Planes<std::uint8_t>& out, Rows rows) const {
  HWY_DYNAMIC_DISPATCH(upsample_bytes)(*this, in, out, rows);
}

void store_mask_row(const Planes<float>& in, int channel, int y, Image& mask) {
  HWY_DYNAMIC_DISPATCH(sigmoid_row)(in, channel, y, mask.row(y));
}

}  // namespace fmbym
#endif  // HWY_ONCE
