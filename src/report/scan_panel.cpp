#include <string>
#include <utility>
#include <vector>

#include "report/axes.hpp"
#include "report/panels.hpp"
#include "report/scan_overlay.hpp"
#include "report/text.hpp"

namespace fmbym::report {
namespace {

// The previous scan's frame on the sheet: x up, y right, the sensor in the middle.
struct Ground {
  Point sensor;
  double pixels_per_metre;

  Point at(const Vec2& p) const {
    return {sensor.x + p.y * pixels_per_metre, sensor.y - p.x * pixels_per_metre};
  }
};

// An arrow head that points ahead, its notch at the sensor; `size` in pixels.
void draw_vehicle(Canvas& canvas, const Ground& ground, const SE2& T_prev_vehicle, const Colour& colour,
                  double size) {
  const double scale = size / ground.pixels_per_metre;
  std::vector<Point> outline;
  for (const Vec2& corner :
       {Vec2{1.3, 0}, Vec2{-0.6, 0.7}, Vec2{0, 0}, Vec2{-0.6, -0.7}, Vec2{1.3, 0}, Vec2{-0.6, 0.7}})
    outline.push_back(ground.at(T_prev_vehicle * Vec2{corner.x * scale, corner.y * scale}));
  canvas.fill(outline, colour);
  canvas.polyline(outline, {kWhite, 1.5});
}

void draw_scale_bar(Canvas& canvas, const Rectangle& area, double pixels_per_metre) {
  const double metres = nice_step(area.width / pixels_per_metre, 6);
  const double length = metres * pixels_per_metre;
  const Point left{area.left + 16, area.bottom() - 18};
  canvas.fill(Rectangle{left.x - 8, left.y - 24, length + 16, 34}, with_opacity(kBlack, 0.6));
  canvas.fill(Rectangle{left.x, left.y, length, 3}, kWhite);
  const std::string label = number(metres, metres < 1 ? 2 : 0) + " m";
  canvas.text({left.x + length / 2, left.y - 7}, label, {.colour = kWhite, .align = Align::middle});
}

void draw_legend(Canvas& canvas, Point at) {
  const std::vector<std::pair<Colour, std::string>> entries = {
      {kOrange, "previous scan"}, {kAzure, "current scan, aligned"}, {kWhite, "both"}};
  for (const auto& [colour, name] : entries) {
    const Rectangle swatch{at.x + 0.5, at.y - 10.5, 12, 12};
    canvas.fill(swatch, colour);
    canvas.outline(swatch, {kFaintInk, 1});
    canvas.text({at.x + 19, at.y}, name);
    at.x += 19 + canvas.text_width(name, {}) + 24;
  }
}

}  // namespace

void draw_scan_panel(Canvas& canvas, const Rectangle& area, const MatchPicture& picture) {
  draw_heading(canvas, area, "The two scans aligned");
  const Image& previous = picture.previous;
  const bool blank = !tells_apart(previous.pixels()) && !tells_apart(picture.current.pixels());
  if (blank || previous.size() == 0) return draw_no_evidence(canvas, area);
  canvas.image(overlay_scans(picture, static_cast<int>(area.width)), area);
  const Ground ground{area.middle(), area.width / (previous.size() * previous.metres_per_pixel())};
  {
    const auto inside = canvas.clip(area);
    draw_vehicle(canvas, ground, {}, kOrange, 15);  // larger: seen under the other when the vehicle stands
    draw_vehicle(canvas, ground, picture.match.T_prev_curr, kAzure, 9);
  }
  draw_scale_bar(canvas, area, ground.pixels_per_metre);
  draw_legend(canvas, {area.left, area.bottom() + 24});
}

}  // namespace fmbym::report
