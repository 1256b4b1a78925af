#include "report/axes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "report/text.hpp"

namespace fmbym::report {
namespace {

constexpr double kTickLength = 5;
constexpr int kMostTicks = 50;
constexpr double kAbout = 0.95;     // a step more than was asked for is better than a coarser step
constexpr double kHalfDigit = 4.5;  // from the middle of a digit to its base line [pixel]

}  // namespace

double nice_step(double range, int steps) {
  const double rough = kAbout * range / steps;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

double nice_angle_step(double range, int steps) {
  const double rough = kAbout * range / steps;
  if (rough > 10)
    for (const double step : {15.0, 30.0, 45.0, 90.0})
      if (step >= rough) return step;
  return nice_step(range, steps);
}

std::vector<Tick> ticks(const Axis& axis, double step) {
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  const double slack = 1e-6;  // of a step, so that rounding does not lose the last tick
  const double first = std::ceil(axis.low / step - slack), last = std::floor(axis.high / step + slack);
  std::vector<Tick> all;
  for (int i = 0; i <= last - first && i < kMostTicks; ++i)
    all.push_back({(first + i) * step, number((first + i) * step, decimals)});
  return all;
}

double crisp(double pixel) {
  return std::floor(pixel) + 0.5;
}

void draw_axes(Canvas& canvas, const Plot& plot, const AxisText& x, const AxisText& y) {
  const Rectangle& area = plot.area;
  const TextStyle below{.size = 12, .align = Align::middle}, left{.size = 12, .align = Align::right};
  for (const Tick& tick : x.ticks) {
    const double at = plot.x.pixel(tick.value);
    canvas.line({crisp(at), area.bottom()}, {crisp(at), area.bottom() + kTickLength});
    canvas.text({at, area.bottom() + 19}, tick.label, below);
  }
  for (const Tick& tick : y.ticks) {
    const double at = plot.y.pixel(tick.value);
    canvas.line({area.left - kTickLength, crisp(at)}, {area.left, crisp(at)});
    canvas.text({area.left - 9, at + kHalfDigit}, tick.label, left);
  }
  canvas.outline({crisp(area.left), crisp(area.top), std::round(area.width), std::round(area.height)});
  canvas.text({area.middle().x, area.bottom() + 42}, x.label, {.size = 13, .align = Align::middle});
  canvas.text({area.left - 50, area.middle().y}, y.label,
              {.size = 13, .align = Align::middle, .upwards = true});
}

void draw_grid(Canvas& canvas, const Plot& plot, const AxisText& x, const AxisText& y) {
  for (const Tick& tick : x.ticks) {
    const double at = crisp(plot.x.pixel(tick.value));
    canvas.line({at, plot.area.top}, {at, plot.area.bottom()}, {kGrid, 1});
  }
  for (const Tick& tick : y.ticks) {
    const double at = crisp(plot.y.pixel(tick.value));
    canvas.line({plot.area.left, at}, {plot.area.right(), at}, {kGrid, 1});
  }
}

}  // namespace fmbym::report
