// A sheet to draw on, in pixels from its top left corner: a thin wrapper over a cairo image surface with the
// few verbs our pictures need.
#pragma once

#include <cairo.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "report/cairo_surface.hpp"
#include "report/colour.hpp"

namespace fmbym::report {

struct Point {
  double x = 0;
  double y = 0;  // downwards
};

struct Rectangle {
  double left = 0, top = 0, width = 0, height = 0;

  constexpr double right() const { return left + width; }
  constexpr double bottom() const { return top + height; }
  Point middle() const { return {left + width / 2, top + height / 2}; }
};

// Colours on a grid.
struct Raster {
  int columns = 0, rows = 0;
  std::vector<Colour> pixels;  // (row, column)
};

struct Stroke {
  Colour colour = kInk;
  double width = 1;
};

enum class Align { left, middle, right };

struct TextStyle {
  double size = 13;  // of the font [pixel]
  Colour colour = kInk;
  bool bold = false;
  Align align = Align::left;
  bool upwards = false;  // turned to read from bottom to top
};

class Canvas {
 public:
  Canvas(int width, int height);  // white

  void fill(const Rectangle& area, const Colour& colour);
  void fill(std::span<const Point> polygon, const Colour& colour);
  void outline(const Rectangle& area, const Stroke& stroke = {});
  void line(Point from, Point to, const Stroke& stroke = {});
  void polyline(std::span<const Point> points, const Stroke& stroke = {});
  // The raster stretched over the area, each of its pixels a sharp rectangle.
  void image(const Raster& raster, const Rectangle& area);
  // `at` is on the base line, at the end or in the middle of the text as its alignment says.
  void text(Point at, const std::string& text, const TextStyle& style = {});
  double text_width(const std::string& text, const TextStyle& style);

  // Nothing is drawn outside the area while the returned object lives.
  class Clip;
  [[nodiscard]] Clip clip(const Rectangle& area);

  std::string png() const;  // the bytes of a PNG file

 private:
  struct Release {
    void operator()(cairo_t* context) const { cairo_destroy(context); }
  };

  void trace(std::span<const Point> points);
  void stroke_path(const Stroke& stroke);
  void set_font(const TextStyle& style);
  void set_colour(const Colour& colour);

  Surface surface_;
  std::unique_ptr<cairo_t, Release> context_;
};

class Canvas::Clip {
 public:
  Clip(cairo_t* context, const Rectangle& area);
  ~Clip() { cairo_restore(context_); }
  Clip(const Clip&) = delete;
  Clip& operator=(const Clip&) = delete;

 private:
  cairo_t* context_;
};

}  // namespace fmbym::report
