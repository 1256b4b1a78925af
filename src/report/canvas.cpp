#include "report/canvas.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "report/text.hpp"

namespace fmbym::report {
namespace {

std::uint32_t to_rgb24(const Colour& colour) {
  const auto byte = [](double v) {
    return static_cast<std::uint32_t>(v > 0 ? std::min(v, 1.0) * 255 + 0.5
                                            : 0);  // what is no number is black
  };
  return byte(colour.red) << 16 | byte(colour.green) << 8 | byte(colour.blue);
}

}  // namespace

Canvas::Canvas(int width, int height)
    : surface_(make_surface(CAIRO_FORMAT_RGB24, width, height)), context_(cairo_create(surface_.get())) {
  check(cairo_status(context_.get()));
  fill(Rectangle{0, 0, double(width), double(height)}, kWhite);
}

void Canvas::fill(const Rectangle& area, const Colour& colour) {
  set_colour(colour);
  cairo_rectangle(context_.get(), area.left, area.top, area.width, area.height);
  cairo_fill(context_.get());
}

void Canvas::fill(std::span<const Point> polygon, const Colour& colour) {
  set_colour(colour);
  trace(polygon);
  cairo_close_path(context_.get());
  cairo_fill(context_.get());
}

void Canvas::outline(const Rectangle& area, const Stroke& stroke) {
  cairo_rectangle(context_.get(), area.left, area.top, area.width, area.height);
  stroke_path(stroke);
}

void Canvas::line(Point from, Point to, const Stroke& stroke) {
  polyline(std::vector{from, to}, stroke);
}

void Canvas::polyline(std::span<const Point> points, const Stroke& stroke) {
  trace(points);
  stroke_path(stroke);
}

void Canvas::image(const Raster& raster, const Rectangle& area) {
  const Surface pixels = make_surface(CAIRO_FORMAT_RGB24, raster.columns, raster.rows);
  cairo_surface_flush(pixels.get());
  unsigned char* bytes = cairo_image_surface_get_data(pixels.get());
  const int stride = cairo_image_surface_get_stride(pixels.get());
  auto colour = raster.pixels.begin();
  for (int row = 0; row < raster.rows; ++row) {
    auto* out = reinterpret_cast<std::uint32_t*>(bytes + std::ptrdiff_t(row) * stride);
    for (int column = 0; column < raster.columns; ++column) *out++ = to_rgb24(*colour++);
  }
  cairo_surface_mark_dirty(pixels.get());

  const Clip inside = clip(area);
  cairo_translate(context_.get(), area.left, area.top);
  cairo_scale(context_.get(), area.width / raster.columns, area.height / raster.rows);
  cairo_set_source_surface(context_.get(), pixels.get(), 0, 0);
  cairo_pattern_set_filter(cairo_get_source(context_.get()), CAIRO_FILTER_NEAREST);
  cairo_paint(context_.get());
}

void Canvas::text(Point at, const std::string& text, const TextStyle& style) {
  const double width = text_width(text, style);
  const double back = style.align == Align::left ? 0 : style.align == Align::middle ? width / 2 : width;
  set_colour(style.colour);
  cairo_save(context_.get());
  cairo_translate(context_.get(), at.x, at.y);
  if (style.upwards) cairo_rotate(context_.get(), -std::numbers::pi / 2);
  cairo_move_to(context_.get(), -back, 0);
  cairo_show_text(context_.get(), drawable(text).c_str());
  cairo_restore(context_.get());
}

double Canvas::text_width(const std::string& text, const TextStyle& style) {
  set_font(style);
  cairo_text_extents_t extents;
  cairo_text_extents(context_.get(), drawable(text).c_str(), &extents);
  return extents.x_advance;
}

Canvas::Clip::Clip(cairo_t* context, const Rectangle& area) : context_(context) {
  cairo_save(context_);
  cairo_rectangle(context_, area.left, area.top, area.width, area.height);
  cairo_clip(context_);
}

Canvas::Clip Canvas::clip(const Rectangle& area) {
  return {context_.get(), area};
}

std::string Canvas::png() const {
  check(cairo_status(context_.get()));  // cairo keeps the first thing that went wrong
  return png_of(surface_.get());
}

void Canvas::trace(std::span<const Point> points) {
  cairo_new_path(context_.get());
  for (const Point& p : points) cairo_line_to(context_.get(), p.x, p.y);
}

void Canvas::stroke_path(const Stroke& stroke) {
  set_colour(stroke.colour);
  cairo_set_line_width(context_.get(), stroke.width);
  cairo_set_line_join(context_.get(), CAIRO_LINE_JOIN_ROUND);
  cairo_stroke(context_.get());
}

void Canvas::set_font(const TextStyle& style) {
  cairo_select_font_face(context_.get(), "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context_.get(), style.size);
}

void Canvas::set_colour(const Colour& colour) {
  cairo_set_source_rgba(context_.get(), colour.red, colour.green, colour.blue, colour.opacity);
}

}  // namespace fmbym::report
