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

template <class V>
HWY_INLINE void store_pixels(V v, float* to, int count) {
  store_some(v, to, count);
}

// Rounded to the nearest of 0 … 255.
template <class V>
HWY_INLINE auto to_bytes(V v) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::DemoteTo(hn::Rebind<std::uint8_t, hn::DFromV<V>>(), hn::NearestInt(v));
}

template <class V>
HWY_INLINE void store_pixels(V v, std::uint8_t* to, int count) {
  store_some(to_bytes(v), to, count);
}

}  // namespace
}  // namespace fmbym::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
