// Vectors of pixels: how they are loaded and stored.
// Included once for each instruction set, hence the guard that takes turns.
#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

#if defined(FMBYM_VECTORS) == defined(HWY_TARGET_TOGGLE)
#ifdef FMBYM_VECTORS
#undef FMBYM_VECTORS
#else
#define FMBYM_VECTORS
#endif

HWY_BEFORE_NAMESPACE();
namespace fmbym::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::ScalableTag<float> kFloats;
constexpr hn::ScalableTag<std::int32_t> kSums;
constexpr hn::ScalableTag<std::int16_t> kShorts;
constexpr hn::ScalableTag<std::uint8_t> kBytes;

// What pixels are computed with: floats as they are, bytes as integers of 16 bits.
template <class Pixel>
struct Arithmetic;

template <>
struct Arithmetic<float> {
  static auto load(const float* pixel) { return hn::LoadU(kFloats, pixel); }
};

template <>
struct Arithmetic<std::uint8_t> {
  static auto load(const std::uint8_t* pixel) {
    return hn::PromoteTo(kShorts, hn::LoadU(hn::Rebind<std::uint8_t, decltype(kShorts)>(), pixel));
  }
};

template <class Pixel>
using Vector = decltype(Arithmetic<Pixel>::load(nullptr));

// The first `count` lanes; nothing beyond them is touched.
template <class V, class D = hn::DFromV<V>, class T = hn::TFromV<V>>
HWY_INLINE void store_some(V v, T* to, int count) {
  if (count >= static_cast<int>(hn::Lanes(D()))) {
    hn::StoreU(v, D(), to);
    return;
  }
  HWY_ALIGN T lanes[hn::MaxLanes(D())];
  hn::Store(v, D(), lanes);
  std::memcpy(to, lanes, static_cast<std::size_t>(count) * sizeof(T));
}

// Rounded to the nearest of 0 … 255. By way of 16 bits, which saturate both times; from 32 bits at once,
// Highway 1.0 gives 0 for 32768.
template <class V>
HWY_INLINE auto to_bytes(V v) {
  const hn::Rebind<std::int16_t, hn::DFromV<V>> shorts;
  const hn::Rebind<std::uint8_t, hn::DFromV<V>> bytes;
  return hn::DemoteTo(bytes, hn::DemoteTo(shorts, hn::NearestInt(v)));
}

}  // namespace
}  // namespace fmbym::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
