// Feature maps as the convolution wants them: one plane a channel, and a row of a plane in four parts, the
// pixels x = 0, 4, 8 … first, then x = 1, 5, 9 … and so on. Images are worked on in cells of 4 by 4 pixels;
// like this, the same pixel of neighbouring cells lies side by side, and a vector of cells is one plain load.
//
// Around the image is a border of zeros, one pixel wide and up to the last cell's end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fmbym {

template <class Pixel>
class Planes {
 public:
  Planes() = default;
  Planes(int channels, int size)
      : channels_(channels),
        size_(size),
        cells_((size + 3) / 4),
        part_(cells_ + 2),
        plane_((4 * cells_ + 2) * std::ptrdiff_t{4} * part_),
        pixels_(static_cast<std::size_t>(channels * plane_ + kBeyond)) {}

  int channels() const { return channels_; }
  int size() const { return size_; }    // pixels a side
  int cells() const { return cells_; }  // a side

  // The row's pixel x = 0; y from -1 to 4 cells().
  Pixel* row(int channel, int y) { return pixels_.data() + place(channel, y); }
  const Pixel* row(int channel, int y) const { return pixels_.data() + place(channel, y); }

  // From there to the pixel x of a row, -5 < x < 4 cells() + 4; a cell further is one further.
  std::ptrdiff_t offset(int x) const { return (x & 3) * std::ptrdiff_t{part_} + (x >> 2); }

  // Of all four parts of a row, with their borders; they begin one before the row's pixel x = 0.
  int row_length() const { return 4 * part_; }

  // From a channel to the next.
  std::ptrdiff_t plane_length() const { return plane_; }

  Pixel at(int channel, int y, int x) const { return row(channel, y)[offset(x)]; }

  // Vectors of cells may be stored past the image's end, but not past the last cell's: back to zeros.
  void close_row(Pixel* row) const {
    for (int x = size_; x < 4 * cells_; ++x) row[offset(x)] = 0;
  }

 private:
  static constexpr int kBeyond = 128;  // vectors of cells may be loaded past the end

  std::ptrdiff_t place(int channel, int y) const {
    return channel * plane_ + (y + 1) * std::ptrdiff_t{4} * part_ + 1;
  }

  int channels_ = 0, size_ = 0, cells_ = 0, part_ = 0;
  std::ptrdiff_t plane_ = 0;
  std::vector<Pixel> pixels_;
};

}  // namespace fmbym
