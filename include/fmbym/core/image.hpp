// A square Cartesian radar image. Row 0 is the farthest point ahead, column 0 the farthest to the left; with
// odd size the sensor sits in the middle of pixel (size/2, size/2).
#pragma once

#include <cstddef>
#include <vector>

namespace fmbym {

class Image {
 public:
  Image() = default;
  Image(int size, double metres_per_pixel)
      : size_(size),
        metres_per_pixel_(metres_per_pixel),
        pixels_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)) {}

  int size() const { return size_; }  // pixels a side
  double metres_per_pixel() const { return metres_per_pixel_; }
  bool same_geometry(const Image& other) const {
    return size_ == other.size_ && metres_per_pixel_ == other.metres_per_pixel_;
  }

  float* row(int r) { return pixels_.data() + static_cast<std::ptrdiff_t>(r) * size_; }
  const float* row(int r) const { return pixels_.data() + static_cast<std::ptrdiff_t>(r) * size_; }
  float& at(int r, int c) { return row(r)[c]; }
  float at(int r, int c) const { return row(r)[c]; }

  std::vector<float>& pixels() { return pixels_; }  // (row, column), power from 0 to 1
  const std::vector<float>& pixels() const { return pixels_; }

 private:
  int size_ = 0;
  double metres_per_pixel_ = 0;
  std::vector<float> pixels_;
};

}  // namespace fmbym
