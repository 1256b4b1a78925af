// Images in tiles of 4 by 4 pixels: from there to the frequencies and back.
// Included once for each instruction set, hence the guard that takes turns.
#include <algorithm>

#include "training/convolution_kernels.hpp"
#include "training/winograd_transforms-inl.hpp"

#if defined(FMBYM_TRAINING_TILES) == defined(HWY_TARGET_TOGGLE)
#ifdef FMBYM_TRAINING_TILES
#undef FMBYM_TRAINING_TILES
#else
#define FMBYM_TRAINING_TILES
#endif

HWY_BEFORE_NAMESPACE();
namespace fmbym::training::HWY_NAMESPACE {
namespace {

constexpr int kTile = 4;

// Images (batch, row, column, channel) in tiles that are counted row by row, image by image.
template <class Pixel>
struct Tiled {
  Pixel* pixels;
  ImagesSize size;
  std::int64_t channels;

  std::int64_t tile_rows() const { return (size.rows + kTile - 1) / kTile; }
  std::int64_t tile_columns() const { return (size.columns + kTile - 1) / kTile; }
  std::int64_t tiles() const { return size.batch * tile_rows() * tile_columns(); }
  Pixel* at(std::int64_t image, std::int64_t y, std::int64_t x) const {
    return pixels + ((image * size.rows + y) * size.columns + x) * channels;
  }
};
using ConstTiled = Tiled<const float>;
using MutableTiled = Tiled<float>;

// The first pixel of a tile.
struct Place {
  std::int64_t image, y, x;
};
template <class Pixel>
HWY_INLINE Place place_of(const Tiled<Pixel>& images, std::int64_t tile) {
  const std::int64_t row = tile / images.tile_columns();
  return {row / images.tile_rows(), row % images.tile_rows() * kTile, tile % images.tile_columns() * kTile};
}

// Whether all of the `side` by `side` pixels from here are in the image.
template <class Pixel>
HWY_INLINE bool is_inside(const Tiled<Pixel>& images, const Place& at, int side) {
  return at.y >= 0 && at.x >= 0 && at.y + side <= images.size.rows && at.x + side <= images.size.columns;
}

// Whether vectors of channels can be loaded there. One may reach into the next pixels where channels are few:
// what comes of that is multiplied by zeros, or left out in the end.
HWY_INLINE bool is_readable(const ConstTiled& images, const Place& at, int side, std::int64_t channel) {
  return is_inside(images, at, side) &&
         images.at(at.image, at.y + side - 1, at.x + side - 1) + channel + kLanes <=
             images.at(images.size.batch, 0, 0);
}

// Pixels with zeros for what is not in the images: (row, column, channel).
template <int side>
HWY_INLINE void copy_padded(const ConstTiled& images, const Place& at, std::int64_t channel,
                            float* HWY_RESTRICT to) {
  const std::int64_t count = std::min<std::int64_t>(kLanes, images.channels - channel);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x, to += kLanes) {
      store(hn::Zero(kChannels), to);
      const std::int64_t row = at.y + y, column = at.x + x;
      if (row < 0 || column < 0 || row >= images.size.rows || column >= images.size.columns) continue;
      const float* from = images.at(at.image, row, column) + channel;
      if (count == kLanes)
        store(load(from), to);
      else
        std::copy_n(from, count, to);
    }
}

// T x Tᵀ of the pixels x from here.
template <class T, class Keep>
HWY_INLINE void transform_pixels(const ConstTiled& images, const Place& at, std::int64_t channel,
                                 const Keep& keep) {
  if (is_readable(images, at, T::in, channel)) {
    const float* first = images.at(at.image, at.y, at.x) + channel;
    const std::int64_t row = images.size.columns * images.channels, column = images.channels;
    transform<T>([=](int y, int x) HWY_ATTR { return load(first + y * row + x * column); }, keep);
  } else {
    HWY_ALIGN float padded[T::in * T::in * kLanes];
    copy_padded<T::in>(images, at, channel, padded);
    transform<T>([&](int y, int x) HWY_ATTR { return load(padded + (y * T::in + x) * kLanes); }, keep);
  }
}

// The frequencies of one tile and vector of channels → its pixels, as many as are in the image.
template <class Load>
HWY_INLINE void transform_to_pixels(const MutableTiled& images, const Place& at, std::int64_t channel,
                                    const Load& frequency) {
  float* first = images.at(at.image, at.y, at.x) + channel;
  const std::int64_t row = images.size.columns * images.channels, column = images.channels;
  if (is_inside(images, at, kTile) && channel + kLanes <= images.channels) {
    transform<ToPixels>(frequency,
                        [=](int y, int x, Vector v) HWY_ATTR { store(v, first + y * row + x * column); });
    return;
  }
  const std::int64_t rows = images.size.rows - at.y, columns = images.size.columns - at.x;
  const std::int64_t count = std::min<std::int64_t>(kLanes, images.channels - channel);
  transform<ToPixels>(frequency, [&](int y, int x, Vector v) HWY_ATTR {
    if (y >= rows || x >= columns) return;
    HWY_ALIGN float lanes[kLanes];
    hn::Store(v, kChannels, lanes);
    std::copy_n(lanes, count, first + y * row + x * column);
  });
}

}  // namespace
}  // namespace fmbym::training::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
