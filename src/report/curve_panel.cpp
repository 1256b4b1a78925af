#include "report/curve_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/panels.hpp"

namespace fmbym::report {
namespace {

constexpr double kRoom = 0.07;          // of the range, above and below the curves
constexpr double kLeastDecades = 0.04;  // a flat curve is not blown up beyond ±5 %
constexpr std::size_t kMostDots = 40;   // more of them run together
constexpr double kFewDecades = 0.8, kManyDecades = 3;
constexpr int kTicks = 6;
constexpr double kLeast = 1e-12, kMost = 1e12;  // beyond is what no picture can show

bool is_drawable(const Point& point) {
  return std::isfinite(point.x) && point.y >= kLeast && point.y <= kMost;
}

// To the scales of the panel, without what can't be drawn.
std::vector<Point> scaled(const std::vector<Point>& points, bool doubling) {
  std::vector<Point> all;
  for (const Point& point : points)
    if (is_drawable(point)) all.push_back({doubling ? std::log2(point.x) : point.x, std::log10(point.y)});
  return all;
}

struct Range {
  double low = INFINITY, high = -INFINITY;

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void widen(double least, double room) {
    const double more = std::max(0.0, least - (high - low)) / 2 + room * std::max(least, high - low);
    low -= more;
    high += more;
  }
};

Plot plot_of(const Rectangle& area, const CurvePanel& panel) {
  Range x, y;
  for (const Curve& curve : panel.curves)
    for (const Point& point : scaled(curve.points, panel.doubling)) {
      x.include(point.x);
      y.include(point.y);
    }
  if (panel.limit && is_drawable({0, panel.limit->y})) y.include(std::log10(panel.limit->y));
  x.widen(1, 0.03);
  y.widen(kLeastDecades, kRoom);
  return {area, x.low, x.high, y.low, y.high};
}

std::vector<Tick> power_ticks(const Axis& axis) {
  std::vector<Tick> all;
  for (double power = std::ceil(axis.low); power <= axis.high; ++power)
    all.push_back({power, fmt::format("{:g}", std::exp2(power))});
  return all;
}

// Epochs are whole numbers.
std::vector<Tick> count_ticks(const Axis& axis) {
  return ticks(axis, std::max(1.0, nice_step(axis.high - axis.low, kTicks)));
}

void draw_dot(Canvas& canvas, Point at, double radius, const Colour& colour) {
  std::vector<Point> circle;
  for (int i = 0; i < 24; ++i) {
    const double angle = i * std::numbers::pi / 12;
    circle.push_back({at.x + radius * std::cos(angle), at.y + radius * std::sin(angle)});
  }
  canvas.fill(circle, colour);
}

void draw_curve(Canvas& canvas, const Plot& plot, const Curve& curve, bool doubling) {
  std::vector<Point> line;
  for (const Point& point : scaled(curve.points, doubling)) line.push_back(plot.at(point.x, point.y));
  if (line.size() > 1) canvas.polyline(line, {curve.colour, 2});
  if (line.size() <= kMostDots)
    for (const Point& at : line) draw_dot(canvas, at, 3.5, curve.colour);
}

// Beside its point, on the side where there is room.
void draw_mark(Canvas& canvas, const Plot& plot, const Mark& mark, bool doubling) {
  const auto place = scaled({mark.at}, doubling);
  if (place.empty()) return;
  const Point at = plot.at(place.front().x, place.front().y);
  canvas.line({crisp(at.x), plot.area.top}, {crisp(at.x), plot.area.bottom()}, {kFaintInk, 1});
  draw_dot(canvas, at, 6.5, kWhite);
  draw_dot(canvas, at, 5, kAlarm);
  const bool to_the_left = at.x > plot.area.middle().x;
  const double y = plot.area.top + 20;  // curves of errors are low where they are best
  const TextStyle style{.size = 13, .bold = true, .align = to_the_left ? Align::right : Align::left};
  const double x = at.x + (to_the_left ? -8 : 8), width = canvas.text_width(mark.label, style);
  canvas.fill(Rectangle{to_the_left ? x - width - 3 : x - 3, y - 14, width + 6, 19},
              with_opacity(kWhite, 0.85));
  canvas.text({x, y}, mark.label, style);
}

void draw_limit(Canvas& canvas, const Plot& plot, const Limit& limit) {
  const double at = crisp(plot.y.pixel(std::log10(limit.y)));
  canvas.line({plot.area.left, at}, {plot.area.right(), at}, {kAlarm, 1});
  canvas.text({plot.area.left + 8, at + 16}, limit.label, {.size = 12, .colour = kAlarm});
}

// Above the panel, at its right end.
void draw_legend(Canvas& canvas, const Rectangle& area, const std::vector<Curve>& curves) {
  double right = area.right();
  for (auto curve = curves.rbegin(); curve != curves.rend(); ++curve) {
    const TextStyle style{.size = 13, .align = Align::right};
    canvas.text({right, area.top - 12}, curve->name, style);
    right -= canvas.text_width(curve->name, style) + 8;
    canvas.line({right - 22, area.top - 16}, {right, area.top - 16}, {curve->colour, 3});
    right -= 22 + 18;
  }
}

}  // namespace

std::vector<Tick> logarithmic_ticks(const Axis& axis) {
  std::vector<Tick> all;
  const double low = std::pow(10, axis.low), high = std::pow(10, axis.high);
  if (axis.high - axis.low < kFewDecades) {
    for (const Tick& tick : ticks({low, high}, nice_step(high - low, kTicks)))
      if (tick.value > 0) all.push_back({std::log10(tick.value), tick.label});
    return all;
  }
  const bool all_three = axis.high - axis.low < kManyDecades;
  for (double decade = std::floor(axis.low); decade <= axis.high; ++decade)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10, decade);
      if ((factor > 1 && !all_three) || value < low || value > high) continue;
      all.push_back({std::log10(value), fmt::format("{:g}", value)});
    }
  return all;
}

void draw_curve_panel(Canvas& canvas, const Rectangle& area, const CurvePanel& panel) {
  draw_heading(canvas, area, panel.heading);
  const bool empty = std::all_of(panel.curves.begin(), panel.curves.end(), [](const Curve& curve) {
    return std::none_of(curve.points.begin(), curve.points.end(), is_drawable);
  });
  if (empty) return draw_no_evidence(canvas, area);
  const Plot plot = plot_of(area, panel);
  const AxisText x{panel.doubling ? power_ticks(plot.x) : count_ticks(plot.x), panel.x_label};
  const AxisText y{logarithmic_ticks(plot.y), panel.y_label};
  draw_grid(canvas, plot, x, y);
  if (panel.curves.size() > 1) draw_legend(canvas, area, panel.curves);
  if (panel.limit && is_drawable({0, panel.limit->y})) draw_limit(canvas, plot, *panel.limit);
  for (const Curve& curve : panel.curves) draw_curve(canvas, plot, curve, panel.doubling);
  if (panel.mark) draw_mark(canvas, plot, *panel.mark, panel.doubling);
  draw_axes(canvas, plot, x, y);
}

}  // namespace fmbym::report
