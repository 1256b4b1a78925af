// Memory for Winograd's frequencies, and the weights among them.
// Included once for each instruction set, hence the guard that takes turns.
#include <hwy/aligned_allocator.h>

#include <algorithm>

#include "training/products-inl.hpp"
#include "training/winograd_transforms-inl.hpp"

#if defined(FMBYM_TRAINING_WEIGHTS) == defined(HWY_TARGET_TOGGLE)
#ifdef FMBYM_TRAINING_WEIGHTS
#undef FMBYM_TRAINING_WEIGHTS
#else
#define FMBYM_TRAINING_WEIGHTS
#endif

HWY_BEFORE_NAMESPACE();
namespace fmbym::training::HWY_NAMESPACE {
namespace {

constexpr int kFrequencies = 36;

std::int64_t rounded_up(std::int64_t count, std::int64_t to) {
  return (count + to - 1) / to * to;
}

// For every frequency a matrix of so many numbers.
class Frequencies {
 public:
  explicit Frequencies(std::int64_t numbers)
      // An odd number of cache lines: all frequencies of a tile are written one after the other, and would be
      // in each other's way if they fell into the same few sets of the cache.
      : step_(rounded_up(numbers, 32) + 16),
        numbers_(hwy::AllocateAligned<float>(std::size_t(kFrequencies * step_))) {}

  float* of(int frequency) const { return numbers_.get() + frequency * step_; }
  std::int64_t step() const { return step_; }

 private:
  std::int64_t step_;
  hwy::AlignedFreeUniquePtr<float[]> numbers_;
};

// The weights as the right factor: rows are summed over, columns lie side by side.
struct WeightMatrix {
  std::int64_t rows, columns;              // channels
  std::int64_t row_stride, column_stride;  // [floats]
  bool turned;                             // by half a turn

  std::int64_t padded_rows() const { return rounded_up(rows, 8); }
  std::int64_t padded_columns() const { return rounded_up(columns, 8); }
};

// weight, or rather its gradient → (panel, row, column in the panel) of each frequency, and back. Either all
// panels, or one at a time: the frequencies of many channels are more than the caches hold.
class WeightPanels {
 public:
  WeightPanels(const WeightMatrix& shape, bool one_at_a_time)
      : shape_(shape),
        padded_rows_(shape.padded_rows()),
        panels_(shape.padded_columns()),
        held_(one_at_a_time ? 1 : panels_.count),
        matrices_(held_ * padded_rows_ * panels_.width) {}

  const Panels& panels() const { return panels_; }
  std::int64_t padded_rows() const { return padded_rows_; }

  // Those held now.
  void hold_from(std::int64_t index) { begin_ = index; }
  std::int64_t held() const { return held_; }
  std::int64_t begin() const { return begin_; }
  std::int64_t end() const { return begin_ + held_; }
  float* panel(int frequency, std::int64_t index) const {
    return matrices_.of(frequency) + (index - begin_) * padded_rows_ * panels_.width;
  }

  void transform_from(const float* weight) const {
    for_each_vector([&](std::int64_t row, std::int64_t column, float* first, std::int64_t step) HWY_ATTR {
      const Taps taps = gathered(weight, row, column);
      transform<FromWeights>([&](int y, int x) HWY_ATTR { return taps.of[3 * y + x]; },
                             [=](int y, int x, Vector v) HWY_ATTR { store(v, first + (6 * y + x) * step); });
    });
  }

  void transform_to(float* gradient) const {
    HWY_ALIGN float taps[9 * kLanes];
    for_each_vector([&](std::int64_t row, std::int64_t column, const float* first,
                        std::int64_t step) HWY_ATTR {
      transform<ToWeightGradients>([=](int y, int x) HWY_ATTR { return load(first + (6 * y + x) * step); },
                                   [&](int y, int x, Vector v)
                                       HWY_ATTR { store(v, taps + (3 * y + x) * kLanes); });
      scatter(taps, row, column, gradient);
    });
  }

 private:
  struct Taps {
    Vector of[9];
  };

  // In the order of memory; with the place of the vector in the first matrix, and from there to the next's.
  template <class Do>
  HWY_INLINE void for_each_vector(const Do& act) const {
    const std::int64_t step = matrices_.step();
    for (std::int64_t index = begin(); index < end(); ++index) {
      float* place = panel(0, index);
      for (std::int64_t row = 0; row < padded_rows_; ++row)
        for (std::int64_t i = 0; i < panels_.width; i += kLanes, place += kLanes)
          act(row, index * panels_.width + i, place, step);
    }
  }

  std::int64_t columns_from(std::int64_t row, std::int64_t column) const {
    return row < shape_.rows ? std::clamp<std::int64_t>(shape_.columns - column, 0, kLanes) : 0;
  }

  HWY_INLINE Taps gathered(const float* weight, std::int64_t row, std::int64_t column) const {
    const std::int64_t count = columns_from(row, column);
    const float* from = weight + row * shape_.row_stride + column * shape_.column_stride;
    Taps taps;
    if (count == kLanes) {
      const hn::RebindToSigned<decltype(kChannels)> integers;
      const auto places = hn::Mul(hn::Iota(integers, 0), hn::Set(integers, int(shape_.column_stride)));
      for (int tap = 0; tap < 9; ++tap)
        taps.of[tap] = hn::GatherIndex(kChannels, from + (shape_.turned ? 8 - tap : tap), places);
      return taps;
    }
    for (int tap = 0; tap < 9; ++tap) {
      HWY_ALIGN float lanes[kLanes] = {};
      for (std::int64_t i = 0; i < count; ++i)
        lanes[i] = from[i * shape_.column_stride + (shape_.turned ? 8 - tap : tap)];
      taps.of[tap] = load(lanes);
    }
    return taps;
  }

  HWY_INLINE void scatter(const float* HWY_RESTRICT taps, std::int64_t row, std::int64_t column,
                          float* gradient) const {
    const std::int64_t count = columns_from(row, column);
    float* to = gradient + row * shape_.row_stride + column * shape_.column_stride;
    for (std::int64_t i = 0; i < count; ++i, to += shape_.column_stride)
      for (int tap = 0; tap < 9; ++tap) to[tap] = taps[tap * kLanes + i];
  }

  WeightMatrix shape_;
  std::int64_t padded_rows_;
  Panels panels_;
  std::int64_t held_, begin_ = 0;
  Frequencies matrices_;
};

}  // namespace
}  // namespace fmbym::training::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
