#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/axes.hpp"
#include "report/colour_bar.hpp"
#include "report/colour_map.hpp"
#include "report/panels.hpp"

namespace fmbym::report {
namespace {

constexpr double kZoom = 15;        // the middle of the surface that is shown, to either side [m]
constexpr double kAroundShift = 3;  // and never less than this around the shift [m]

bool has_surface(const MatchEvidence& evidence) {
  const auto side = static_cast<std::size_t>(std::max(0, evidence.side));
  return side % 2 == 1 && evidence.metres_per_cell > 0 && evidence.translation.size() == side * side &&
         tells_apart(evidence.translation);
}

// The middle of the correlation surface, with its lowest and highest coefficient.
struct Surface {
  int reach;                  // cells to either side of no shift
  std::vector<float> scores;  // (row, column), a square
  double low, high;

  int side() const { return 2 * reach + 1; }
};

Surface middle_of(const MatchEvidence& evidence) {
  const double far = std::max(std::abs(evidence.shift.x), std::abs(evidence.shift.y)) + kAroundShift;
  const int middle = evidence.side / 2;
  const double cells = std::round(std::max(kZoom, far) / evidence.metres_per_cell);
  Surface surface{cells < middle ? static_cast<int>(cells) : middle, {}, 0, 0};
  for (int row = middle - surface.reach; row <= middle + surface.reach; ++row) {
    const auto first =
        evidence.translation.begin() + std::ptrdiff_t(row) * evidence.side + middle - surface.reach;
    surface.scores.insert(surface.scores.end(), first, first + surface.side());
  }
  const auto [low, high] = std::minmax_element(surface.scores.begin(), surface.scores.end());
  surface.low = *low;
  surface.high = *low < *high ? *high : *low + 1;
  return surface;
}

Raster heat_map(const Surface& surface) {
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
  const Surface surface = middle_of(picture.evidence);
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
