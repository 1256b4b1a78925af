// cairo's image surfaces with an owner, and their PNG files.
#pragma once

#include <cairo.h>

#include <memory>
#include <string>

namespace fmbym::report {

struct ReleaseSurface {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
using Surface = std::unique_ptr<cairo_surface_t, ReleaseSurface>;

// Throws Error unless cairo was content.
void check(cairo_status_t status);

Surface make_surface(cairo_format_t format, int width, int height);

// The bytes of a PNG file.
std::string png_of(cairo_surface_t* surface);

}  // namespace fmbym::report
