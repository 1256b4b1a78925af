// How vectors of floats become pixels. Included for each instruction set, hence no #pragma once.
#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

#if defined(FMBYM_VECTOR_STORE) == defined(HWY_TARGET_TOGGLE)
#ifdef FMBYM_VECTOR_STORE
#undef FMBYM_VECTOR_STORE
#else
#define FMBYM_VECTOR_STORE
#endif

HWY_BEFORE_NAMESPACE();
namespace fmbym::HWY_NAMESPACE {
namespace {

// The first `count` lanes; nothing beyond them is touched.
template <class V, class D = hwy::HWY_NAMESPACE::DFromV<V>, class T = hwy::HWY_NAMESPACE::TFromV<V>>
HWY_INLINE void store_some(V v, T* to, int count) {
  namespace hn = hwy::HWY_NAMESPACE;
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
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::Rebind<std::int16_t, hn::DFromV<V>> shorts;
  const hn::Rebind<std::uint8_t, hn::DFromV<V>> bytes;
  return hn::DemoteTo(bytes, hn::DemoteTo(shorts, hn::NearestInt(v)));
}

}  // namespace
}  // namespace fmbym::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
