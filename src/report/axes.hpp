// Axes of a plot: from values to pixels, and ticks at round numbers.
#pragma once

#include <string>
#include <vector>

#include "report/canvas.hpp"

namespace fmbym::report {

struct Axis {
  double low = 0, high = 1;  // values at the ends
  double from = 0, to = 1;   // pixels at the ends

  double pixel(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

struct Plot {
  Rectangle area;
  Axis x, y;

  // Values grow to the right and upwards.
  Plot(const Rectangle& plot_area, double x_low, double x_high, double y_low, double y_high)
      : area(plot_area),
        x{x_low, x_high, area.left, area.right()},
        y{y_low, y_high, area.bottom(), area.top} {}

  Point at(double x_value, double y_value) const { return {x.pixel(x_value), y.pixel(y_value)}; }
};

// 1, 2 or 5 times a power of ten, for about that many steps in the range.
double nice_step(double range, int steps);
// Likewise, but 15, 30, 45 or 90 where a circle's parts are rounder [°].
double nice_angle_step(double range, int steps);

struct Tick {
  double value;
  std::string label;
};
std::vector<Tick> ticks(const Axis& axis, double step);

struct AxisText {
  std::vector<Tick> ticks;
  std::string label;
};
// The middle of a pixel: a line one pixel wide on its edge would blur over two.
double crisp(double pixel);

// Below and to the left of the plot.
void draw_axes(Canvas& canvas, const Plot& plot, const AxisText& x, const AxisText& y);
void draw_grid(Canvas& canvas, const Plot& plot, const AxisText& x, const AxisText& y);

}  // namespace fmbym::report
