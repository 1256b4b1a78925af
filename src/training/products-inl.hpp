// Products of small matrices: c = a b or c += a b.
// Included once for each instruction set, hence the guard that takes turns.
#include "training/channels-inl.hpp"

#if defined(FMBYM_TRAINING_PRODUCTS) == defined(HWY_TARGET_TOGGLE)
#ifdef FMBYM_TRAINING_PRODUCTS
#undef FMBYM_TRAINING_PRODUCTS
#else
#define FMBYM_TRAINING_PRODUCTS
#endif

HWY_BEFORE_NAMESPACE();
namespace fmbym::training::HWY_NAMESPACE {
namespace {

// c = a b, or c += a b, for `rows` by `vectors` sums that stay in registers; b's rows lie one after the
// other, as many vectors long. Strides are in floats.
template <int rows, int vectors, bool add>
HWY_INLINE void multiply_block(const float* HWY_RESTRICT a, std::int64_t a_row, std::int64_t a_column,
                               const float* HWY_RESTRICT b, std::int64_t depth, float* HWY_RESTRICT c,
                               std::int64_t c_row) {
  Vector sum[rows][vectors];
  HWY_UNROLL(12)
  for (int i = 0; i < rows; ++i) {
    HWY_UNROLL(3)
    for (int j = 0; j < vectors; ++j)
      sum[i][j] = add ? load(c + i * c_row + j * kLanes) : hn::Zero(kChannels);
  }
  for (std::int64_t k = 0; k < depth; ++k, a += a_column, b += vectors * kLanes) {
    HWY_UNROLL(12)
    for (int i = 0; i < rows; ++i) {
      HWY_UNROLL(3)
      for (int j = 0; j < vectors; ++j)
        sum[i][j] = hn::MulAdd(all(a[i * a_row]), load(b + j * kLanes), sum[i][j]);
    }
  }
  HWY_UNROLL(12)
  for (int i = 0; i < rows; ++i) {
    HWY_UNROLL(3)
    for (int j = 0; j < vectors; ++j) store(sum[i][j], c + i * c_row + j * kLanes);
  }
}

// How the columns of b are cut into panels of `vectors` vectors: (panel, row, column in the panel).
struct Panels {
  explicit Panels(std::int64_t columns)
      : vectors(columns % (2 * kLanes) == 0   ? 2
                : columns % (3 * kLanes) == 0 ? 3
                                              : 1),
        width(vectors * kLanes),
        count(columns / width) {}

  int vectors;
  std::int64_t width, count;
};

}  // namespace
}  // namespace fmbym::training::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
