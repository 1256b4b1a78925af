#include "masking/direct.hpp"

#include <algorithm>

// Only for processors with VNNI, for which Highway has to be asked; what else is compiled is empty.
#define HWY_WANT_AVX3_DL
#define HWY_DISABLED_TARGETS (~(HWY_AVX3_DL | HWY_SCALAR | HWY_EMU128))

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "masking/direct.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which sets the target.
#include <hwy/highway.h>

#include "masking/vectors-inl.hpp"

#if HWY_TARGET == HWY_AVX3_DL
HWY_BEFORE_NAMESPACE();
HWY_PUSH_ATTRIBUTES("avx512vnni")  // Highway 1.0 asks the processor for it, but not the compiler
namespace fmbym::HWY_NAMESPACE {
namespace {

constexpr hn::ScalableTag<std::uint32_t> kCells;
constexpr hn::ScalableTag<std::uint64_t> kPairs;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(kCells));
using Floats = hn::Vec<decltype(kFloats)>;
using Sums = hn::Vec<decltype(kSums)>;
using Cells = hn::Vec<decltype(kCells)>;
using Shorts = hn::Vec<decltype(kShorts)>;

// sum + pixels · weight
HWY_INLINE Floats add_product(Floats sum, Floats pixels, Floats weight) {
  return hn::MulAdd(pixels, weight, sum);
}
HWY_INLINE Sums add_product(Sums sum, Cells pixels, Sums weight) {
  return Sums{_mm512_dpbusd_epi32(sum.raw, pixels.raw, weight.raw)};
}

HWY_INLINE Floats to_floats(Floats sum) {
  return sum;
}
HWY_INLINE Floats to_floats(Sums sum) {
  return hn::ConvertTo(kFloats, sum);
}

// From the first of some neighbouring pixels to each of its neighbours, in the order of the weights.
struct Taps {
  std::ptrdiff_t offset[9];

  explicit Taps(std::ptrdiff_t row_length) {
    for (int t = 0; t < 9; ++t) offset[t] = (t / 3 - 1) * row_length + t % 3 - 1;
  }
};

// For `outs` output channels and `vectors` vectors of pixels from `cell` on.
template <int outs, int vectors, class Cell, class Weight>
HWY_INLINE void sum_products(const Cell* cell, const Taps& taps, int planes, std::ptrdiff_t plane_length,
                             const Weight* weight, Floats (&result)[outs][vectors]) {
  const hn::ScalableTag<Cell> pixels_tag;
  const hn::ScalableTag<Weight> tag;
  hn::Vec<decltype(tag)> sum[outs][vectors];
  for (auto& row : sum)
    for (auto& s : row) s = hn::Zero(tag);
  for (int plane = 0; plane < planes; ++plane, cell += plane_length)
    for (const std::ptrdiff_t offset : taps.offset) {
      hn::Vec<decltype(pixels_tag)> pixels[vectors];
      HWY_UNROLL(3)
      for (int j = 0; j < vectors; ++j) pixels[j] = hn::LoadU(pixels_tag, cell + offset + j * kLanes);
      HWY_UNROLL(8)
      for (int i = 0; i < outs; ++i) {
        const auto w = hn::Set(tag, weight[i]);
        HWY_UNROLL(3)
        for (int j = 0; j < vectors; ++j) sum[i][j] = add_product(sum[i][j], pixels[j], w);
      }
      weight += outs;
    }
  for (int i = 0; i < outs; ++i)
    for (int j = 0; j < vectors; ++j) result[i][j] = to_floats(sum[i][j]);
}

// With gain and bias of its output channel.
template <class Cell>
HWY_INLINE Floats finished(const DirectConvolution<Cell>& convolution, int channel, Floats sum) {
  const auto c = static_cast<std::size_t>(channel);
  return hn::MulAdd(sum, hn::Set(kFloats, convolution.output.gain[c]),
                    hn::Set(kFloats, convolution.output.bias[c]));
}

// To the nearest of 0 … 255, in the lowest byte; the next two are 0. Above 2^23 the last bit of a float is a
// one.
HWY_INLINE Cells to_byte(Floats v) {
  const Floats within = hn::Min(hn::Max(v, hn::Zero(kFloats)), hn::Set(kFloats, 255.0f));
  return hn::BitCast(kCells, hn::Add(within, hn::Set(kFloats, 8388608.0f)));
}

// `count` pixels of the output channels from `channel` on, to the plane of each or of every four, which
// begins at `to` for the first.
template <int outs, int vectors, class Cell>
HWY_INLINE void store(const DirectConvolution<Cell>& convolution, int channel,
                      const Floats (&sum)[outs][vectors], float* to, std::ptrdiff_t plane_length, int count) {
  const auto lowest = hn::Set(kFloats, convolution.output.lowest);
  for (int i = 0; i < outs; ++i, to += plane_length)
    for (int j = 0; j < vectors; ++j)
      store_some(hn::Max(finished(convolution, channel + i, sum[i][j]), lowest), to + j * kLanes,
                 count - j * kLanes);
}
template <int outs, int vectors, class Cell>
HWY_INLINE void store(const DirectConvolution<Cell>& convolution, int channel,
                      const Floats (&sum)[outs][vectors], FourChannels* to, std::ptrdiff_t plane_length,
                      int count) {
  static_assert(outs % 4 == 0);
  for (int i = 0; i < outs; i += 4, to += plane_length)
    for (int j = 0; j < vectors; ++j) {
      const auto byte = [&](int k) HWY_ATTR {
        return to_byte(finished(convolution, channel + i + k, sum[i + k][j]));
      };
      const Cells lower = hn::Or(hn::And(byte(0), hn::Set(kCells, 255)), hn::ShiftLeft<8>(byte(1)));
      const Cells upper = hn::Or(hn::ShiftLeft<16>(byte(2)), hn::ShiftLeft<24>(byte(3)));
      store_some(hn::Or(lower, upper), to + j * kLanes, count - j * kLanes);
    }
}

// A block of output channels, of which `to` is the first, for some vectors of pixels; `count` of them are
// stored.
template <int outs, int vectors, class Cell, class Out>
HWY_INLINE void convolve_pixels(const DirectConvolution<Cell>& convolution, int block, const Taps& taps,
                                const Cell* from, std::ptrdiff_t from_plane, Out* to, std::ptrdiff_t to_plane,
                                int count) {
  Floats sum[outs][vectors];
  sum_products(from, taps, convolution.planes, from_plane,
               convolution.weight.data() + block * std::ptrdiff_t{convolution.planes} * 9 * outs, sum);
  store(convolution, block * outs, sum, to, to_plane, count);
}

template <int outs, class Cell, class Out>
void convolve_band(const DirectConvolution<Cell>& convolution, const Band& band, const Grid<Cell>& in,
                   Grid<Out>& out, int first) {
  const Taps taps(in.row_length());
  const int rows = band.row_end - band.row_begin,
            length = rows * in.row_length() - 1;  // no border at the end
  for (int block = band.block_begin; block < band.block_end; ++block) {
    const Cell* from = in.row(0, band.row_begin);
    Out* to = out.row((first + block * outs) / Grid<Out>::kChannels, band.row_begin);
    const auto run = [&]<int vectors>(int pixel, std::integral_constant<int, vectors>) HWY_ATTR {
      convolve_pixels<outs, vectors>(convolution, block, taps, from + pixel, in.plane_length(), to + pixel,
                                     out.plane_length(), length - pixel);
    };
    for (int pixel = 0; pixel < length;) {
      const int left = (length - pixel + kLanes - 1) / kLanes;
      const int vectors = left == 1 ? 1 : left == 2 || left == 4 ? 2 : 3;
      if (vectors == 3) run(pixel, std::integral_constant<int, 3>());
      if (vectors == 2) run(pixel, std::integral_constant<int, 2>());
      if (vectors == 1) run(pixel, std::integral_constant<int, 1>());
      pixel += vectors * kLanes;
    }
    for (int plane = 0; plane < outs / Grid<Out>::kChannels; ++plane, to += out.plane_length())
      for (int y = 0; y < rows; ++y) out.close_row(to + y * out.row_length());
  }
}

template <class Cell, class Out>
void convolve(const DirectConvolution<Cell>& convolution, const Band& band, const Grid<Cell>& in,
              Grid<Out>& out, int first) {
  if (convolution.block() == 8)
    convolve_band<8>(convolution, band, in, out, first);
  else if constexpr (std::is_same_v<Out, float>)
    convolve_band<2>(convolution, band, in, out, first);
}

void pool_cells(const Grid<FourChannels>& in, int first, Grid<FourChannels>& out, Rows rows) {
  const auto larger = [](Cells a, Cells b) HWY_ATTR {
    return hn::BitCast(kCells, hn::Max(hn::BitCast(kBytes, a), hn::BitCast(kBytes, b)));
  };
  for (int plane = 0; plane < out.planes(); ++plane)
    for (int y = rows.begin; y < rows.end; ++y) {
      const FourChannels *upper = in.row(first / 4 + plane, 2 * y),
                         *lower = in.row(first / 4 + plane, 2 * y + 1);
      FourChannels* to = out.row(plane, y);
      const auto both = [&](int x) HWY_ATTR {
        return larger(hn::LoadU(kCells, upper + x), hn::LoadU(kCells, lower + x));
      };
      for (int x = 0; x < out.size(); x += kLanes) {
        const Cells left = both(2 * x), right = both(2 * x + kLanes);
        store_some(larger(hn::ConcatEven(kCells, right, left), hn::ConcatOdd(kCells, right, left)), to + x,
                   out.size() - x);
      }
    }
}

// Between two rows, from a pixel before the first on, as shorts with 7 bits after the point.
HWY_INLINE void blend_rows(const FourChannels* first, const FourChannels* second, std::int16_t weight,
                           int pixels, std::int16_t* result) {
  const auto w = hn::Set(kShorts, weight);
  const auto load = [](const FourChannels* from) HWY_ATTR {
    return hn::ShiftLeft<7>(Arithmetic<std::uint8_t>::load(reinterpret_cast<const std::uint8_t*>(from)));
  };
  for (int x = 0; x < pixels; x += kLanes / 2) {
    const Shorts a = load(first + x), b = load(second + x);
    hn::Store(hn::Add(a, hn::MulFixedPoint15(w, hn::Sub(b, a))), kShorts, result + 4 * x);
  }
}

// Shorts of four channels a pixel to bytes, a pixel in the lower half of each pair of cells.
HWY_INLINE hn::Vec<decltype(kPairs)> rounded_pixels(Shorts v) {
  const hn::Rebind<std::uint8_t, decltype(kShorts)> bytes;
  const Shorts whole = hn::ShiftRight<7>(hn::Add(v, hn::Set(kShorts, 1 << 6)));
  return hn::PromoteTo(
      kPairs, hn::BitCast(hn::Repartition<std::uint32_t, decltype(bytes)>(), hn::DemoteTo(bytes, whole)));
}

HWY_INLINE void stretch_row(const ByteStretching& stretching, const std::int16_t* row, int pixels,
                            FourChannels* to) {
  for (int k = 0; k < (pixels + 1) / 2; k += kLanes / 2) {
    const auto part = [&](int pixel, int tap) HWY_ATTR {
      return hn::MulFixedPoint15(hn::LoadU(kShorts, stretching.weights(pixel, tap) + 4 * k),
                                 hn::LoadU(kShorts, row + 4 * (k + tap)));
    };
    const Shorts even = hn::Add(part(0, 0), part(0, 1));
    const Shorts odd = hn::Add(hn::Add(part(1, 0), part(1, 1)), part(1, 2));
    const auto both = hn::Or(rounded_pixels(even), hn::ShiftLeft<32>(rounded_pixels(odd)));
    store_some(hn::BitCast(kCells, both), to + 2 * k, pixels - 2 * k);
  }
}

void stretch_cells(const ByteStretching& stretching, const Grid<FourChannels>& in, Grid<FourChannels>& out,
                   Rows rows) {
  HWY_ALIGN std::int16_t blended[4 * (kLargestMask / 2 + 2 * kLanes)];
  for (int plane = 0; plane < in.planes(); ++plane)
    for (int y = rows.begin; y < rows.end; ++y) {
      const auto& between = stretching.row(y);
      blend_rows(in.row(plane, between.first) - 1, in.row(plane, between.second) - 1, between.weight,
                 in.size() + 2, blended);
      stretch_row(stretching, blended, out.size(), out.row(plane, y));
    }
}

}  // namespace
}  // namespace fmbym::HWY_NAMESPACE
HWY_POP_ATTRIBUTES
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace fmbym {

bool has_byte_products() {
#if HWY_TARGETS & HWY_AVX3_DL
  return hwy::SupportedTargets() & HWY_AVX3_DL;
#else
  return false;
#endif
}

void load_row(const Image& image, int y, float mean, float scale, Grid<float>& out, int channel) {
  std::transform(image.row(y), image.row(y) + image.size(), out.row(channel, y),
                 [=](float pixel) { return (pixel - mean) * scale; });
}

ByteStretching::ByteStretching(int size) : stride_(4 * (size / 2 + 17)) {
  weights_.resize(static_cast<std::size_t>(2 * 3 * stride_));
  for (int x = 0; x < size; ++x) {
    const Place place = place_between(x, size);
    rows_.push_back({place.first, place.second, to_fixed_point(place.weight)});
    const int k = x / 2;
    const auto set = [&](int from, double weight) {
      std::fill_n(weights_.data() + (x % 2 * 3 + from - k + 1) * std::ptrdiff_t{stride_} + 4 * k, 4,
                  to_fixed_point(weight));
    };
    if (place.weight > 0) set(place.second, place.weight);
    set(place.first, 1 - place.weight);
  }
}

#if HWY_TARGETS & HWY_AVX3_DL
template <class Cell, class Out>
void convolve(const DirectConvolution<Cell>& convolution, const Band& band, const Grid<Cell>& in,
              Grid<Out>& out, int first, Scratch&) {
  N_AVX3_DL::convolve(convolution, band, in, out, first);
}
void pool(const Grid<FourChannels>& in, int first, Grid<FourChannels>& out, Rows rows) {
  N_AVX3_DL::pool_cells(in, first, out, rows);
}
void ByteStretching::run(const Grid<FourChannels>& in, Grid<FourChannels>& out, Rows rows) const {
  N_AVX3_DL::stretch_cells(*this, in, out, rows);
}
#else
// Never reached: has_byte_products() is false.
template <class Cell, class Out>
void convolve(const DirectConvolution<Cell>&, const Band&, const Grid<Cell>&, Grid<Out>&, int, Scratch&) {}
void pool(const Grid<FourChannels>&, int, Grid<FourChannels>&, Rows) {}
void ByteStretching::run(const Grid<FourChannels>&, Grid<FourChannels>&, Rows) const {}
#endif

template void convolve(const DirectConvolution<float>&, const Band&, const Grid<float>&, Grid<float>&, int,
                       Scratch&);
template void convolve(const DirectConvolution<float>&, const Band&, const Grid<float>&, Grid<FourChannels>&,
                       int, Scratch&);
template void convolve(const DirectConvolution<FourChannels>&, const Band&, const Grid<FourChannels>&,
                       Grid<float>&, int, Scratch&);
template void convolve(const DirectConvolution<FourChannels>&, const Band&, const Grid<FourChannels>&,
                       Grid<FourChannels>&, int, Scratch&);

}  // namespace fmbym
#endif  // HWY_ONCE
