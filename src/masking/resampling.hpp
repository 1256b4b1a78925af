// What is between the convolutions: images to planes, pooling, up-sampling, planes to masks. Pixels are float
// or std::uint8_t.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "fmbym/core/image.hpp"
#include "masking/grid.hpp"
#include "masking/planes.hpp"

namespace fmbym {

inline constexpr int kLargestMask = 4096;  // pixels a side

// One row of pixels, (pixel - mean) · scale.
void load_row(const Image& image, int y, float mean, float scale, Planes<float>& out, int channel);

// Some rows of an image.
struct Rows {
  int begin, end;
};

// For all channels of `out` the largest of every 2 by 2 pixels of as many channels of `in`, from `first` on.
// A last odd row or column is left out.
void pool(const Planes<float>& in, int first, Planes<float>& out, Rows rows);
void pool(const Planes<std::uint8_t>& in, int first, Planes<std::uint8_t>& out, Rows rows);

// Where pixel x of a line of this size lies in one of half the size, rounded down, if the centres of the
// pixels lie in the same place of the image: between two pixels, which may be the same at the end.
struct Place {
  int first, second;
  double weight;  // of the second, from 0 to 1
};
Place place_between(int x, int size);

// A weight with 15 bits after the point; one itself is out of reach by the last bit.
std::int16_t to_fixed_point(double weight);

// To another size, bilinearly, where the centres of the pixels lie in the same place of the image: from half
// the size, rounded down, to the size. Bytes are blended in fixed point: pixels with 7 bits after the point,
// weights with 15.
template <class Pixel>
class Upsampling {
 public:
  using Number = std::conditional_t<std::is_same_v<Pixel, float>, float, std::int16_t>;

  explicit Upsampling(int size);

  // As many channels of `out` as `in` has.
  void run(const Planes<Pixel>& in, Planes<Pixel>& out, Rows rows) const;

  // Of an output row: between which two rows it lies.
  struct Between {
    int first, second;
    Number weight;  // of the second
  };
  const Between& row(int y) const { return rows_[static_cast<std::size_t>(y)]; }

  // Pixel 2k + 0 is made of the pixels k-1 and k, pixel 2k + 1 of k-1, k and k+1: their weights, for the
  // eight pixels that a cell of 4 becomes (pixel, tap, cell).
  const Number* weights(int pixel, int tap) const {
    return weights_.data() + (pixel * 3 + tap) * std::ptrdiff_t{stride_};
  }
  int input_cells() const { return input_cells_; }

 private:
  static Number number(double weight);

  int input_cells_, stride_;
  std::vector<Between> rows_;
  std::vector<Number> weights_;
};

// The sigmoid of a row.
void store_mask_row(const Planes<float>& in, int channel, int y, Image& mask);
void store_mask_row(const Grid<float>& in, int channel, int y, Image& mask);

}  // namespace fmbym
