// Vectors of neighbouring channels: at most eight, which divides every number of channels between the first
// layer and the last. Included once for each instruction set, hence the guard that takes turns.
#include <hwy/highway.h>

#include <cstdint>

#if defined(FMBYM_CHANNELS) == defined(HWY_TARGET_TOGGLE)
#ifdef FMBYM_CHANNELS
#undef FMBYM_CHANNELS
#else
#define FMBYM_CHANNELS
#endif

HWY_BEFORE_NAMESPACE();
namespace fmbym::training::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, 8> kChannels;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(kChannels));
using Vector = hn::Vec<decltype(kChannels)>;

HWY_INLINE Vector load(const float* from) {
  return hn::LoadU(kChannels, from);
}
HWY_INLINE void store(Vector v, float* to) {
  hn::StoreU(v, kChannels, to);
}
HWY_INLINE Vector all(float value) {
  return hn::Set(kChannels, value);
}

}  // namespace
}  // namespace fmbym::training::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
