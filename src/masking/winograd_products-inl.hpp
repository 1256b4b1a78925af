// The products between Winograd's transforms: for each frequency, weights (out × in) times tiles (in × tile).
// Included once for each instruction set, hence the guard that takes turns.
#include <hwy/highway.h>

#include <algorithm>

#include "masking/vectors-inl.hpp"
#include "masking/winograd.hpp"

#if defined(FMBYM_WINOGRAD_PRODUCTS) == defined(HWY_TARGET_TOGGLE)
#ifdef FMBYM_WINOGRAD_PRODUCTS
#undef FMBYM_WINOGRAD_PRODUCTS
#else
#define FMBYM_WINOGRAD_PRODUCTS
#endif

HWY_BEFORE_NAMESPACE();
namespace fmbym::HWY_NAMESPACE {
namespace {

// Weight · frequencies, summed over the channels, for kOutBlock output channels and `vectors` vectors of
// tiles.
template <int vectors>
HWY_INLINE void multiply_block(const float* weight, const float* frequencies, int channels, int,
                               std::ptrdiff_t stride, float* product) {
  const int lanes = static_cast<int>(hn::Lanes(kFloats));
  hn::Vec<decltype(kFloats)> sum[kOutBlock][vectors];
  for (auto& row : sum)
    for (auto& s : row) s = hn::Zero(kFloats);
  for (int c = 0; c < channels; ++c, weight += kOutBlock, frequencies += stride) {
    HWY_UNROLL(4)
    for (int i = 0; i < kOutBlock; ++i) {
      HWY_UNROLL(2)
      for (int j = 0; j < vectors; ++j)
        sum[i][j] =
            hn::MulAdd(hn::Set(kFloats, weight[i]), hn::LoadU(kFloats, frequencies + j * lanes), sum[i][j]);
    }
  }
  for (int i = 0; i < kOutBlock; ++i)
    for (int j = 0; j < vectors; ++j) hn::StoreU(sum[i][j], kFloats, product + i * stride + j * lanes);
}

using Sums = hn::Vec<decltype(kSums)>;

// Pairs of integers of 16 bits.
HWY_INLINE Sums load_pairs(const std::int16_t* from) {
#if HWY_TARGET == HWY_SCALAR
  std::int32_t pair;
  hwy::CopyBytes<sizeof pair>(from, &pair);
  return hn::Set(kSums, pair);
#else
  return hn::BitCast(kSums, hn::LoadU(kShorts, from));
#endif
}

// Adds the products of the first and of the second of each pair.
HWY_INLINE Sums add_products(Sums sum, Sums a, Sums b) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  auto unused = hn::Zero(kSums);
  return hn::ReorderWidenMulAccumulate(kSums, hn::BitCast(kShorts, a), hn::BitCast(kShorts, b), sum, unused);
#else
  const auto first = [](Sums v) HWY_ATTR { return hn::ShiftRight<16>(hn::ShiftLeft<16>(v)); };
  const auto second = [](Sums v) HWY_ATTR { return hn::ShiftRight<16>(v); };
  return hn::Add(sum, hn::Add(hn::Mul(first(a), first(b)), hn::Mul(second(a), second(b))));
#endif
}

// Adds to the products what channels before have made of them, if there were any.
template <int vectors, bool more>
HWY_INLINE void multiply_some(const std::int16_t* weight, const std::int16_t* frequencies, int channels,
                              std::ptrdiff_t stride, float* product) {
  const int lanes = static_cast<int>(hn::Lanes(kSums));
  Sums sum[kOutBlock][vectors];
  for (auto& row : sum)
    for (auto& s : row) s = hn::Zero(kSums);
  for (int c = 0; c < channels; c += 2, weight += 2 * kOutBlock, frequencies += 2 * stride) {
    HWY_UNROLL(4)
    for (int i = 0; i < kOutBlock; ++i) {
      std::int32_t pair;
      hwy::CopyBytes<sizeof pair>(weight + 2 * i, &pair);
      for (int j = 0; j < vectors; ++j)
        sum[i][j] = add_products(sum[i][j], hn::Set(kSums, pair), load_pairs(frequencies + 2 * j * lanes));
    }
  }
  for (int i = 0; i < kOutBlock; ++i)
    for (int j = 0; j < vectors; ++j) {
      float* to = product + i * stride + j * lanes;
      const auto whole = hn::ConvertTo(kFloats, sum[i][j]);
      hn::StoreU(more ? hn::Add(whole, hn::LoadU(kFloats, to)) : whole, kFloats, to);
    }
}

// As many channels at once as sums of 32 bits have room for.
template <int vectors>
HWY_INLINE void multiply_block(const std::int16_t* weight, const std::int16_t* frequencies, int channels,
                               int at_once, std::ptrdiff_t stride, float* product) {
  multiply_some<vectors, false>(weight, frequencies, std::min(channels, at_once), stride, product);
  for (int c = at_once; c < channels; c += at_once)
    multiply_some<vectors, true>(weight + c * kOutBlock, frequencies + c * stride,
                                 std::min(channels - c, at_once), stride, product);
}

// Products are (frequency, out, tile).
template <class Pixel, class Number>
void multiply(const Convolution<Pixel>& convolution, const Part& part, int tiles, std::ptrdiff_t stride,
              const Number* frequencies, float* products) {
  constexpr int numbers = sizeof(float) / sizeof(Number);  // of a tile: a pair of integers
  const int lanes = static_cast<int>(hn::Lanes(kFloats)), in = convolution.in;
  const int at_once = convolution.summed_at_once(), blocks = part.block_end - part.block_begin;
  for (int f = 0; f < convolution.frequencies(); ++f)
    for (int b = 0; b < blocks; ++b) {
      const int block = part.block_begin + b;
      const Number* weight =
          convolution.weight.data() + (std::ptrdiff_t{f} * convolution.blocks() + block) * in * kOutBlock;
      const Number* input = frequencies + f * scratch_step<Number>(in, stride);
      float* product =
          products + f * scratch_step<float>(blocks * kOutBlock, stride) + b * kOutBlock * stride;
      int t = 0;
      for (; t + lanes < tiles; t += 2 * lanes)
        multiply_block<2>(weight, input + numbers * t, in, at_once, stride, product + t);
      if (t < tiles) multiply_block<1>(weight, input + numbers * t, in, at_once, stride, product + t);
    }
}

}  // namespace
}  // namespace fmbym::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
