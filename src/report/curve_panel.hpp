// Curves of values above 0 on a logarithmic scale: losses and costs that span decades.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/axes.hpp"

namespace fmbym::report {

struct Curve {
  std::string name;  // for the legend, where there are several
  Colour colour = kInk;
  std::vector<Point> points;  // in order of x; what has no sensible logarithm is left out
};

// A point with something to say.
struct Mark {
  Point at;
  std::string label;
};

// A line across the panel.
struct Limit {
  double y = 0;
  std::string label;
};

struct CurvePanel {
  std::string heading, x_label, y_label;
  std::vector<Curve> curves;
  bool doubling = false;  // x is a power of two from step to step
  std::optional<Mark> mark = {};
  std::optional<Limit> limit = {};
};

void draw_curve_panel(Canvas& canvas, const Rectangle& area, const CurvePanel& panel);

// For an axis of decimal logarithms: values at round numbers, labelled with what they are logarithms of.
std::vector<Tick> logarithmic_ticks(const Axis& axis);

}  // namespace fmbym::report
