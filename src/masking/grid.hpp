// Feature maps as the direct convolution wants them: rows of pixels one after the other, as in the image, and
// one border column of zeros between them, which is the end of a row and the beginning of the next. So the
// neighbours of a pixel always lie the same way off, and a vector of pixels may run on into the next row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace fmbym {

// A pixel of four neighbouring channels in bytes, the first one lowest.
using FourChannels = std::uint32_t;

// Cells are float, a plane a channel, or FourChannels.
template <class Cell>
class Grid {
 public:
  static constexpr int kChannels = std::is_same_v<Cell, float> ? 1 : 4;  // of a plane

  Grid() = default;
  Grid(int channels, int size)
      : planes_(channels / kChannels),
        size_(size),
        plane_((size + 2) * std::ptrdiff_t{size + 1} + 1),
        cells_(static_cast<std::size_t>(planes_ * plane_ + kBeyond)) {}

  int planes() const { return planes_; }
  int size() const { return size_; }  // pixels a side
  // From a row to the next, and from a plane to the next.
  int row_length() const { return size_ + 1; }
  std::ptrdiff_t plane_length() const { return plane_; }

  // The row's pixel x = 0; y from -1 to size(), x likewise.
  Cell* row(int plane, int y) { return cells_.data() + place(plane, y); }
  const Cell* row(int plane, int y) const { return cells_.data() + place(plane, y); }

  auto at(int channel, int y, int x) const {
    const Cell cell = row(channel / kChannels, y)[x];
    if constexpr (kChannels == 1)
      return cell;
    else
      return static_cast<std::uint8_t>(cell >> (8 * (channel % kChannels)));
  }

  // Back to zero, where vectors have run over it.
  void close_row(Cell* row) const { row[size_] = 0; }

 private:
  static constexpr int kBeyond = 64;  // vectors may be loaded past the end

  std::ptrdiff_t place(int plane, int y) const {
    return plane * plane_ + (y + 1) * std::ptrdiff_t{row_length()} + 1;
  }

  int planes_ = 0, size_ = 0;
  std::ptrdiff_t plane_ = 0;
  std::vector<Cell> cells_;
};

}  // namespace fmbym
