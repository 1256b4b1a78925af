#include "report/cairo_surface.hpp"

#include <fmt/format.h>

#include <exception>

#include "fmbym/core/error.hpp"

#ifdef FMBYM_SANITIZED
// fontconfig keeps its patterns to the end of the program and refers to them by offsets, which a leak checker
// can't follow. Here, because whoever draws with cairo meets it.
extern "C" {
const char* __lsan_default_suppressions();
const char* __lsan_default_suppressions() {
  return "leak:libfontconfig";
}
const char* __lsan_default_options();
const char* __lsan_default_options() {
  return "print_suppressions=0";
}
}
#endif

namespace fmbym::report {
namespace {

// No exception may pass through cairo, which is C.
cairo_status_t append_png(void* bytes, const unsigned char* data, unsigned length) noexcept {
  try {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
  } catch (const std::exception&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
}

}  // namespace

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw Error(fmt::format("cannot draw a picture: cairo says {}", cairo_status_to_string(status)));
}

Surface make_surface(cairo_format_t format, int width, int height) {
  Surface surface(cairo_image_surface_create(format, width, height));
  check(cairo_surface_status(surface.get()));
  return surface;
}

std::string png_of(cairo_surface_t* surface) {
  std::string bytes;
  check(cairo_surface_write_to_png_stream(surface, append_png, &bytes));
  return bytes;
}

}  // namespace fmbym::report
