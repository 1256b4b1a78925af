// Compiled once for each instruction set; the best that the processor has is chosen when it runs.
#include "training/normalise_kernels.hpp"

#include <algorithm>

#include "masking/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "training/normalise_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which sets the target.
#include <hwy/highway.h>

#include "training/channels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fmbym::training::HWY_NAMESPACE {
namespace {

// Pixels that are summed in single precision before they join a double: few enough to lose nothing, and to
// stay in the cache while one vector of channels after the other takes its turn.
constexpr std::int64_t kPixelsAtOnce = 256;
constexpr int kSumsAtOnce = 4;  // additions wait for each other: several sums hide that

struct TwoVectors {
  Vector first, second;
};

// Over the pixels of `term(pixel offset)`.
template <class Term>
HWY_INLINE TwoVectors sum_terms(std::int64_t pixels, std::int64_t channels, const Term& term) {
  TwoVectors sums[kSumsAtOnce];
  for (auto& s : sums) s = {hn::Zero(kChannels), hn::Zero(kChannels)};
  std::int64_t p = 0;
  for (; p + kSumsAtOnce <= pixels; p += kSumsAtOnce) {
    HWY_UNROLL(4)
    for (int i = 0; i < kSumsAtOnce; ++i) term((p + i) * channels, sums[i]);
  }
  for (; p < pixels; ++p) term(p * channels, sums[0]);
  for (int i = 1; i < kSumsAtOnce; ++i) {
    sums[0].first = hn::Add(sums[0].first, sums[i].first);
    sums[0].second = hn::Add(sums[0].second, sums[i].second);
  }
  return sums[0];
}

struct Sums {
  explicit Sums(std::int64_t channels) : first(std::size_t(channels)), second(std::size_t(channels)) {}

  void add(std::int64_t channel, const TwoVectors& sums) {
    HWY_ALIGN float lanes[2][kLanes];
    hn::Store(sums.first, kChannels, lanes[0]);
    hn::Store(sums.second, kChannels, lanes[1]);
    for (int i = 0; i < kLanes; ++i) {
      first[std::size_t(channel + i)] += double{lanes[0][i]};
      second[std::size_t(channel + i)] += double{lanes[1][i]};
    }
  }

  std::vector<double> first, second;
};

// Squares about the first pixel's value, which is nearer the mean than zero is: less to cancel.
ChannelStatistics statistics(const float* in, std::int64_t pixels, std::int64_t channels) {
  Sums sums(channels);
  for (std::int64_t p = 0; p < pixels; p += kPixelsAtOnce)
    for (std::int64_t c = 0; c < channels; c += kLanes) {
      const float* first = in + p * channels + c;
      const Vector origin = load(in + c);
      sums.add(c, sum_terms(std::min(kPixelsAtOnce, pixels - p), channels,
                            [&](std::int64_t offset, TwoVectors& sum) HWY_ATTR {
                              const Vector x = hn::Sub(load(first + offset), origin);
                              sum = {hn::Add(sum.first, x), hn::MulAdd(x, x, sum.second)};
                            }));
    }
  for (std::size_t c = 0; c < std::size_t(channels); ++c) {
    const double offset = sums.first[c] / double(pixels);
    sums.first[c] = double{in[c]} + offset;
    sums.second[c] = std::max(0., sums.second[c] / double(pixels) - offset * offset);
  }
  return {sums.first, sums.second};
}

void forward(const float* in, const ChannelLine& line, std::int64_t pixels, float* out) {
  const std::int64_t channels = std::int64_t(line.scale.size());
  const Vector zero = hn::Zero(kChannels);
  for (std::int64_t begin = 0; begin < pixels; begin += kPixelsAtOnce)
    for (std::int64_t c = 0; c < channels; c += kLanes) {
      const Vector scale = load(&line.scale[std::size_t(c)]), shift = load(&line.shift[std::size_t(c)]);
      const std::int64_t end = std::min(begin + kPixelsAtOnce, pixels);
      for (std::int64_t i = begin * channels + c; i < end * channels; i += channels)
        store(hn::Max(hn::MulAdd(load(in + i), scale, shift), zero), out + i);
    }
}

// The gradient where the ReLU let pass, zero elsewhere.
HWY_INLINE Vector passed(Vector in, Vector gradient, Vector scale, Vector shift) {
  return hn::IfThenElseZero(hn::Gt(hn::MulAdd(in, scale, shift), hn::Zero(kChannels)), gradient);
}

ChannelSums backward_sums(const float* in, const float* gradient, const ChannelLine& line,
                          std::int64_t pixels, const float* mean) {
  const std::int64_t channels = std::int64_t(line.scale.size());
  Sums sums(channels);
  for (std::int64_t p = 0; p < pixels; p += kPixelsAtOnce)
    for (std::int64_t c = 0; c < channels; c += kLanes) {
      const Vector scale = load(&line.scale[std::size_t(c)]), shift = load(&line.shift[std::size_t(c)]);
      const Vector centre = load(mean + c);
      const std::int64_t first = p * channels + c;
      sums.add(c, sum_terms(std::min(kPixelsAtOnce, pixels - p), channels,
                            [&](std::int64_t offset, TwoVectors& sum) HWY_ATTR {
                              const Vector x = load(in + first + offset);
                              const Vector g = passed(x, load(gradient + first + offset), scale, shift);
                              sum = {hn::Add(sum.first, g), hn::MulAdd(g, hn::Sub(x, centre), sum.second)};
                            }));
    }
  return {sums.first, sums.second};
}

void backward(const float* in, const float* gradient, const ChannelLine& line, const float* slopes,
              const float* offsets, std::int64_t pixels, float* out) {
  const std::int64_t channels = std::int64_t(line.scale.size());
  for (std::int64_t begin = 0; begin < pixels; begin += kPixelsAtOnce)
    for (std::int64_t c = 0; c < channels; c += kLanes) {
      const Vector scale = load(&line.scale[std::size_t(c)]), shift = load(&line.shift[std::size_t(c)]);
      const Vector slope = load(slopes + c), offset = load(offsets + c);
      const std::int64_t end = std::min(begin + kPixelsAtOnce, pixels);
      for (std::int64_t i = begin * channels + c; i < end * channels; i += channels) {
        const Vector x = load(in + i);
        const Vector g = passed(x, load(gradient + i), scale, shift);
        store(hn::MulAdd(g, scale, hn::MulAdd(x, slope, offset)), out + i);
      }
    }
}

}  // namespace
}  // namespace fmbym::training::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fmbym::training {

HWY_EXPORT(statistics);
HWY_EXPORT(forward);
HWY_EXPORT(backward_sums);
HWY_EXPORT(backward);

ChannelStatistics channel_statistics(const float* in, std::int64_t pixels, std::int64_t channels) {
  return HWY_DYNAMIC_DISPATCH(statistics)(in, pixels, channels);
}

void line_relu(const float* in, const ChannelLine& line, std::int64_t pixels, float* out) {
  HWY_DYNAMIC_DISPATCH(forward)(in, line, pixels, out);
}

ChannelSums passed_sums(const float* in, const float* gradient, const ChannelLine& line, std::int64_t pixels,
                        std::span<const float> mean) {
  return HWY_DYNAMIC_DISPATCH(backward_sums)(in, gradient, line, pixels, mean.data());
}

void line_relu_backward(const float* in, const float* gradient, const ChannelLine& line,
                        std::span<const float> slope, std::span<const float> offset, std::int64_t pixels,
                        float* out) {
  HWY_DYNAMIC_DISPATCH(backward)(in, gradient, line, slope.data(), offset.data(), pixels, out);
}

}  // namespace fmbym::training
#endif  // HWY_ONCE
