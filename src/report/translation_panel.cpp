#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/axes.hpp"
#include "report/colour_bar.hpp"
#include "report/colour_map.hpp"
#include "report/panels.hpp"
#include "report/translation_surface.hpp"

namespace fmbym::report {
namespace {

Raster heat_map(const TranslationSurface& surface) {
  Raster raster{surface.side(), surface.side(), {}};
  for (const double score : surface.scores)
    raster.pixels.push_back(viridis((score - surface.low) / (surface.high - surface.low)));
  return raster;
}

// "1.92 m forward, 0.05 m left".
std::string describe(const Vec2& shift) {
  return fmt::format("{:.2f} m {}, {:.2f} m {}", std::abs(shift.x), shift.x <= -0.005 ? "back" : "forward",
                     std::abs(shift.y), shift.y <= -0.005 ? "left" : "right");
}

// A cross with its value below it, or above where there is no room below.
void draw_shift(Canvas& canvas, const Plot& plot, const Vec2& shift) {
  const Point at = plot.at(shift.y, shift.x);
  for (const Stroke& stroke : {Stroke{kWhite, 5}, Stroke{kAlarm, 2}}) {
    canvas.line({at.x - 9, at.y}, {at.x + 9, at.y}, stroke);
    canvas.line({at.x, at.y - 9}, {at.x, at.y + 9}, stroke);
  }
  const TextStyle style{.size = 14, .colour = kWhite, .bold = true, .align = Align::middle};
  const std::string label = describe(shift);
  const double half = canvas.text_width(label, style) / 2 + 8;
  const double x = std::clamp(at.x, plot.area.left + half + 4, plot.area.right() - half - 4);
  const double y = at.y + 48 < plot.area.bottom() ? at.y + 36 : at.y - 26;
  canvas.fill(Rectangle{x - half, y - 17, 2 * half, 24}, with_opacity(kBlack, 0.55));
  canvas.text({x, y}, label, style);
}

}  // namespace

void draw_translation_panel(Canvas& canvas, const Rectangle& area, const MatchPicture& picture) {
  draw_heading(canvas, area, "Translation");
  if (!has_surface(picture.evidence)) return draw_no_evidence(canvas, area);
  const TranslationSurface surface = middle_of(picture.evidence);
  const double edge = 0.5 * surface.side() * picture.evidence.metres_per_cell;
  const Plot plot(area, -edge, edge, -edge, edge);
  canvas.image(heat_map(surface), area);
  {
    const auto inside = canvas.clip(area);
    draw_shift(canvas, plot, picture.evidence.shift);
  }
  const double step = nice_step(2 * edge, 8);
  draw_axes(canvas, plot, {ticks(plot.x, step), "shift to the right [m]"},
            {ticks(plot.y, step), "shift forward [m]"});
  draw_colour_bar(canvas, {area.right() + 14, area.top, 16, area.height}, surface.low, surface.high,
                  "correlation");
}

}  // namespace fmbym::report
