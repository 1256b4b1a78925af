// What the colours of a heat map stand for.
#pragma once

#include <string>

#include "report/canvas.hpp"

namespace fmbym::report {

// Viridis from `low` at the bottom to `high` at the top, with ticks to its right and the label above them.
void draw_colour_bar(Canvas& canvas, const Rectangle& area, double low, double high,
                     const std::string& label);

}  // namespace fmbym::report
