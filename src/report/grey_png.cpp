#include "report/grey_png.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "report/cairo_surface.hpp"

namespace fmbym::report {
namespace {

constexpr double kLevels = 64;  // the eye sees no more of them in a scan, and the file is a third smaller

unsigned char grey(double brightness) {
  if (!(brightness > 0)) return 0;
  const double level = std::round(std::min(brightness, 1.0) * (kLevels - 1));
  return static_cast<unsigned char>(std::lround(level * 255 / (kLevels - 1)));
}

}  // namespace

// cairo writes a surface of opacities alone as a grey PNG.
std::string grey_png(int side, const std::function<double(int, int)>& brightness) {
  const Surface surface = make_surface(CAIRO_FORMAT_A8, side, side);
  cairo_surface_flush(surface.get());
  unsigned char* bytes = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column)
      bytes[std::ptrdiff_t(row) * stride + column] = grey(brightness(row, column));
  cairo_surface_mark_dirty(surface.get());
  return png_of(surface.get());
}

}  // namespace fmbym::report
