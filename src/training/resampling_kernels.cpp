// Compiled once for each instruction set; the best that the processor has is chosen when it runs.
#include "training/resampling_kernels.hpp"

#include <algorithm>
#include <vector>

#include "masking/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "training/resampling_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which sets the target.
#include <hwy/highway.h>

#include "training/channels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fmbym::training::HWY_NAMESPACE {
namespace {

// Calls act(place of the first of 2 by 2 pixels, place of the pooled pixel) for every vector of channels.
template <class Do>
HWY_INLINE void for_each_pooled(const PooledImages& images, const Do& act) {
  std::int64_t pooled = 0;
  for (std::int64_t image = 0; image < images.size.batch; ++image)
    for (std::int64_t y = 0; y < images.rows(); ++y) {
      const std::int64_t row = (image * images.size.rows + 2 * y) * images.size.columns * images.channels;
      for (std::int64_t x = 0; x < images.columns(); ++x)
        for (std::int64_t c = 0; c < images.channels; c += kLanes, pooled += kLanes)
          act(row + 2 * x * images.channels + c, pooled);
    }
}

void pool_forward(const PooledImages& images, const float* in, float* out) {
  const std::int64_t right = images.channels, below = images.size.columns * images.channels;
  for_each_pooled(images, [=](std::int64_t from, std::int64_t to) HWY_ATTR {
    const float* first = in + from;
    store(hn::Max(hn::Max(load(first), load(first + right)),
                  hn::Max(load(first + below), load(first + below + right))),
          out + to);
  });
}

void pool_back(const PooledImages& images, const float* in, const float* gradient, float* out) {
  std::fill_n(out, images.size.batch * images.size.rows * images.size.columns * images.channels, 0.F);
  const std::int64_t right = images.channels, below = images.size.columns * images.channels;
  const std::int64_t steps[4] = {0, right, below, below + right};
  for_each_pooled(images, [&](std::int64_t from, std::int64_t to) HWY_ATTR {
    Vector left = load(gradient + to);  // over for the pixels to come
    const Vector largest = hn::Max(hn::Max(load(in + from), load(in + from + steps[1])),
                                   hn::Max(load(in + from + steps[2]), load(in + from + steps[3])));
    for (const std::int64_t step : steps) {
      const auto is_largest = hn::Eq(load(in + from + step), largest);
      store(hn::IfThenElseZero(is_largest, left), out + from + step);
      left = hn::IfThenZeroElse(is_largest, left);
    }
  });
}

// Where a row or column of the large image lies between two of the small one.
struct Between {
  std::int64_t first, second;
  float towards_second;
};

// Centres of pixels stay where they are, as torch has it without align_corners.
std::vector<Between> places(std::int64_t small, std::int64_t large) {
  std::vector<Between> all(static_cast<std::size_t>(large));
  const double ratio = double(small) / double(large);
  for (std::int64_t i = 0; i < large; ++i) {
    const double at = std::max(0., ratio * (double(i) + 0.5) - 0.5);
    const std::int64_t first = std::min(std::int64_t(at), small - 1);
    all[static_cast<std::size_t>(i)] = {first, std::min(first + 1, small - 1), float(at - double(first))};
  }
  return all;
}

// Calls act(places of the four small pixels, their weights, place of the large pixel) for every pixel.
template <class Do>
HWY_INLINE void for_each_stretched(const JoinedImages& images, const Do& act) {
  const auto rows = places(images.small.rows, images.large.rows);
  const auto columns = places(images.small.columns, images.large.columns);
  std::int64_t large = 0;
  for (std::int64_t image = 0; image < images.large.batch; ++image)
    for (const Between& row : rows) {
      const std::int64_t upper = (image * images.small.rows + row.first) * images.small.columns;
      const std::int64_t lower = (image * images.small.rows + row.second) * images.small.columns;
      for (const Between& column : columns) {
        const std::int64_t from[4] = {upper + column.first, upper + column.second, lower + column.first,
                                      lower + column.second};
        const float down = row.towards_second, across = column.towards_second;
        const float weights[4] = {(1 - down) * (1 - across), (1 - down) * across, down * (1 - across),
                                  down * across};
        act(from, weights, large++);
      }
    }
}

void join_forward(const JoinedImages& images, const float* small, const float* large, float* out) {
  const std::int64_t channels = images.small_channels, beside = images.large_channels;
  for_each_stretched(images, [=](const std::int64_t* from, const float* weights, std::int64_t to) HWY_ATTR {
    float* pixel = out + to * (channels + beside);
    const float* p[4];
    for (int i = 0; i < 4; ++i) p[i] = small + from[i] * channels;
    for (std::int64_t c = 0; c < channels; c += kLanes) {
      const Vector upper =
          hn::MulAdd(load(p[1] + c), all(weights[1]), hn::Mul(load(p[0] + c), all(weights[0])));
      const Vector lower =
          hn::MulAdd(load(p[3] + c), all(weights[3]), hn::Mul(load(p[2] + c), all(weights[2])));
      store(hn::Add(upper, lower), pixel + c);
    }
    for (std::int64_t c = 0; c < beside; c += kLanes)
      store(load(large + to * beside + c), pixel + channels + c);
  });
}

void join_back(const JoinedImages& images, const float* gradient, float* small, float* large) {
  const std::int64_t channels = images.small_channels, beside = images.large_channels;
  std::fill_n(small, images.small.batch * images.small.rows * images.small.columns * channels, 0.F);
  for_each_stretched(images, [=](const std::int64_t* from, const float* weights, std::int64_t to) HWY_ATTR {
    const float* pixel = gradient + to * (channels + beside);
    // At the border the places coincide: one is stored before the next is loaded.
    for (int i = 0; i < 4; ++i) {
      float* p = small + from[i] * channels;
      const Vector weight = all(weights[i]);
      for (std::int64_t c = 0; c < channels; c += kLanes)
        store(hn::MulAdd(load(pixel + c), weight, load(p + c)), p + c);
    }
    for (std::int64_t c = 0; c < beside; c += kLanes)
      store(load(pixel + channels + c), large + to * beside + c);
  });
}

}  // namespace
}  // namespace fmbym::training::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fmbym::training {

HWY_EXPORT(pool_forward);
HWY_EXPORT(pool_back);
HWY_EXPORT(join_forward);
HWY_EXPORT(join_back);

void pool(const PooledImages& images, const float* in, float* out) {
  HWY_DYNAMIC_DISPATCH(pool_forward)(images, in, out);
}

void pool_backward(const PooledImages& images, const float* in, const float* gradient, float* out) {
  HWY_DYNAMIC_DISPATCH(pool_back)(images, in, gradient, out);
}

void stretch_and_join(const JoinedImages& images, const float* small, const float* large, float* out) {
  HWY_DYNAMIC_DISPATCH(join_forward)(images, small, large, out);
}

void stretch_and_join_backward(const JoinedImages& images, const float* gradient, float* small,
                               float* large) {
  HWY_DYNAMIC_DISPATCH(join_back)(images, gradient, small, large);
}

}  // namespace fmbym::training
#endif  // HWY_ONCE
