#include "masking/cut.hpp"

#include <algorithm>

namespace fmbym {
namespace {

// With so few cells the larger weights of large tiles cost more time than the multiplications they save.
constexpr int kFewCells = 4;
// Of the transformed input of a part: a good piece of the second-level cache.
constexpr int kBytes = 1 << 17;
// Of the input of a band, likewise.
constexpr int kBandBytes = 1 << 18;
constexpr int kCells = 16;  // a part's columns are a multiple of this, two vectors of eight

int pieces(int length, int piece) {
  return (length + piece - 1) / piece;
}

// How many cells of the image to work on at once.
template <class Pixel>
int cells_at_once(const Convolution<Pixel>& c) {
  const int numbers = c.in * c.frequencies() * c.tiles_per_cell();
  const int bytes = numbers * static_cast<int>(sizeof(typename Convolution<Pixel>::Number));
  return std::max(kCells, kBytes / bytes / kCells * kCells);
}

}  // namespace

int best_tile(int cells) {
  return cells * cells <= kFewCells ? 2 : 4;
}

// Where an image is a single part, its weights are what takes time to fetch: threads share the output
// channels.
template <class Pixel>
std::vector<Part> cut_into_parts(const Convolution<Pixel>& convolution, int cells, int threads) {
  const int at_once = cells_at_once(convolution), all_blocks = convolution.blocks();
  const bool single = cells * cells <= at_once;
  const int columns = std::min(cells, at_once);
  const int rows = single ? cells : std::clamp(at_once / cells, 1, pieces(cells, threads));
  const int blocks = single ? pieces(all_blocks, threads) : all_blocks;
  std::vector<Part> parts;
  for (int row = 0; row < cells; row += rows)
    for (int column = 0; column < cells; column += columns)
      for (int block = 0; block < all_blocks; block += blocks)
        parts.push_back({row, std::min(row + rows, cells), column, std::min(column + columns, cells), block,
                         std::min(block + blocks, all_blocks)});
  return parts;
}
template std::vector<Part> cut_into_parts(const Convolution<float>&, int, int);
template std::vector<Part> cut_into_parts(const Convolution<std::uint8_t>&, int, int);

// Where an image is a single band, threads share the output channels.
template <class Cell>
std::vector<Band> cut_into_parts(const DirectConvolution<Cell>& convolution, int size, int threads) {
  const int row_bytes = convolution.planes * (size + 1) * static_cast<int>(sizeof(Cell));
  const int at_once = std::max(1, kBandBytes / row_bytes), all_blocks = convolution.blocks();
  const bool single = size <= at_once && all_blocks >= threads;
  const int rows = single ? size : std::min(at_once, pieces(size, threads));
  const int blocks = single ? pieces(all_blocks, threads) : all_blocks;
  std::vector<Band> bands;
  for (int row = 0; row < size; row += rows)
    for (int block = 0; block < all_blocks; block += blocks)
      bands.push_back({row, std::min(row + rows, size), block, std::min(block + blocks, all_blocks)});
  return bands;
}
template std::vector<Band> cut_into_parts(const DirectConvolution<float>&, int, int);
template std::vector<Band> cut_into_parts(const DirectConvolution<FourChannels>&, int, int);

}  // namespace fmbym
