// Winograd's matrices for tiles of 4 by 4 pixels, applied to vectors of channels.
// Included once for each instruction set, hence the guard that takes turns.
#include "training/channels-inl.hpp"

#if defined(FMBYM_WINOGRAD_TRANSFORMS) == defined(HWY_TARGET_TOGGLE)
#ifdef FMBYM_WINOGRAD_TRANSFORMS
#undef FMBYM_WINOGRAD_TRANSFORMS
#else
#define FMBYM_WINOGRAD_TRANSFORMS
#endif

HWY_BEFORE_NAMESPACE();
namespace fmbym::training::HWY_NAMESPACE {
namespace {

// Each of the following has `in` numbers become `out`.

// Bᵀ: pixels with their margin
struct FromPixels {
  static constexpr int in = 6, out = 6;
  HWY_INLINE static void apply(const Vector* d, Vector* r) {
    const Vector two = all(2), four = all(4), five = all(5);
    const Vector even = hn::NegMulAdd(four, d[2], d[4]), odd = hn::NegMulAdd(four, d[1], d[3]);
    const Vector wide_even = hn::Sub(d[4], d[2]), wide_odd = hn::Mul(two, hn::Sub(d[3], d[1]));
    r[0] = hn::NegMulAdd(five, d[2], hn::MulAdd(four, d[0], d[4]));
    r[1] = hn::Add(even, odd);
    r[2] = hn::Sub(even, odd);
    r[3] = hn::Add(wide_even, wide_odd);
    r[4] = hn::Sub(wide_even, wide_odd);
    r[5] = hn::NegMulAdd(five, d[3], hn::MulAdd(four, d[1], d[5]));
  }
};

// Aᵀ
struct ToPixels {
  static constexpr int in = 6, out = 4;
  HWY_INLINE static void apply(const Vector* m, Vector* r) {
    const Vector sum = hn::Add(m[1], m[2]), difference = hn::Sub(m[1], m[2]);
    const Vector wide_sum = hn::Add(m[3], m[4]), wide_difference = hn::Sub(m[3], m[4]);
    r[0] = hn::Add(m[0], hn::Add(sum, wide_sum));
    r[1] = hn::MulAdd(all(2), wide_difference, difference);
    r[2] = hn::MulAdd(all(4), wide_sum, sum);
    r[3] = hn::Add(m[5], hn::MulAdd(all(8), wide_difference, difference));
  }
};

// A: the gradient by the pixels → by the frequencies
struct FromPixelGradients {
  static constexpr int in = 4, out = 6;
  HWY_INLINE static void apply(const Vector* y, Vector* r) {
    const Vector even = hn::Add(y[0], y[2]), odd = hn::Add(y[1], y[3]);
    const Vector wide_even = hn::MulAdd(all(4), y[2], y[0]);
    const Vector wide_odd = hn::Mul(all(2), hn::MulAdd(all(4), y[3], y[1]));
    r[0] = y[0];
    r[1] = hn::Add(even, odd);
    r[2] = hn::Sub(even, odd);
    r[3] = hn::Add(wide_even, wide_odd);
    r[4] = hn::Sub(wide_even, wide_odd);
    r[5] = y[3];
  }
};

// G
struct FromWeights {
  static constexpr int in = 3, out = 6;
  HWY_INLINE static void apply(const Vector* w, Vector* r) {
    const Vector sixth = all(-1.F / 6), small = all(1.F / 24);
    const Vector even = hn::Mul(sixth, hn::Add(w[0], w[2])), odd = hn::Mul(sixth, w[1]);
    const Vector wide_even = hn::Mul(small, hn::MulAdd(all(4), w[2], w[0]));
    const Vector wide_odd = hn::Mul(all(1.F / 12), w[1]);
    r[0] = hn::Mul(all(0.25F), w[0]);
    r[1] = hn::Add(even, odd);
    r[2] = hn::Sub(even, odd);
    r[3] = hn::Add(wide_even, wide_odd);
    r[4] = hn::Sub(wide_even, wide_odd);
    r[5] = w[2];
  }
};

// Gᵀ: the gradient by the frequencies → by the weights
struct ToWeightGradients {
  static constexpr int in = 6, out = 3;
  HWY_INLINE static void apply(const Vector* m, Vector* r) {
    const Vector sixth = all(-1.F / 6);
    const Vector even = hn::Mul(sixth, hn::Add(m[1], m[2])), odd = hn::Mul(sixth, hn::Sub(m[1], m[2]));
    const Vector wide_even = hn::Add(m[3], m[4]), wide_odd = hn::Sub(m[3], m[4]);
    r[0] = hn::MulAdd(all(0.25F), m[0], hn::MulAdd(all(1.F / 24), wide_even, even));
    r[1] = hn::MulAdd(all(1.F / 12), wide_odd, odd);
    r[2] = hn::Add(m[5], hn::MulAdd(all(1.F / 6), wide_even, even));
  }
};

// T x Tᵀ, where x[row][column] is load(row, column) and the result goes to keep(row, column, vector).
template <class T, class Load, class Keep>
HWY_INLINE void transform(const Load& load_one, const Keep& keep) {
  Vector half[T::in][T::out];  // (column of x, row of the result)
  for (int x = 0; x < T::in; ++x) {
    Vector column[T::in];
    HWY_UNROLL(6)
    for (int y = 0; y < T::in; ++y) column[y] = load_one(y, x);
    T::apply(column, half[x]);
  }
  for (int y = 0; y < T::out; ++y) {
    Vector row[T::in], result[T::out];
    HWY_UNROLL(6)
    for (int x = 0; x < T::in; ++x) row[x] = half[x][y];
    T::apply(row, result);
    HWY_UNROLL(6)
    for (int x = 0; x < T::out; ++x) keep(y, x, result[x]);
  }
}

}  // namespace
}  // namespace fmbym::training::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
