// The pixels of a PNG file.
#pragma once

#include <cairo.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "report/colour.hpp"

namespace fmbym::testing {

struct DecodedPng {
  int width = 0, height = 0;
  std::vector<std::uint32_t> pixels;  // (row, column), 0xRRGGBB

  explicit DecodedPng(std::string_view bytes) {
    const std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface(
        cairo_image_surface_create_from_png_stream(read, &bytes), cairo_surface_destroy);
    if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS)
      throw std::runtime_error("not a PNG file");
    width = cairo_image_surface_get_width(surface.get());
    height = cairo_image_surface_get_height(surface.get());
    const unsigned char* data = cairo_image_surface_get_data(surface.get());
    for (int r = 0; r < height; ++r)
      for (int c = 0; c < width; ++c) {
        std::uint32_t pixel = 0;
        std::memcpy(&pixel, data + std::ptrdiff_t(r) * cairo_image_surface_get_stride(surface.get()) + 4 * c,
                    4);
        pixels.push_back(pixel & 0xffffff);
      }
  }

  std::uint32_t at(int row, int column) const {
    return pixels[static_cast<std::size_t>(row * width + column)];
  }

 private:
  static cairo_status_t read(void* rest, unsigned char* out, unsigned length) {
    auto& bytes = *static_cast<std::string_view*>(rest);
    if (bytes.size() < length) return CAIRO_STATUS_READ_ERROR;
    std::memcpy(out, bytes.data(), length);
    bytes.remove_prefix(length);
    return CAIRO_STATUS_SUCCESS;
  }
};

// Within a step of 256: cairo rounds down where others round to the nearest.
inline bool has_colour(std::uint32_t pixel, const report::Colour& colour) {
  const auto close = [pixel](int shift, double v) {
    return std::abs(((pixel >> shift) & 0xff) - v * 255) <= 1;
  };
  return close(16, colour.red) && close(8, colour.green) && close(0, colour.blue);
}

}  // namespace fmbym::testing
