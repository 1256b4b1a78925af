#include "report/colour_bar.hpp"

#include "report/axes.hpp"
#include "report/colour_map.hpp"

namespace fmbym::report {

void draw_colour_bar(Canvas& canvas, const Rectangle& area, double low, double high,
                     const std::string& label) {
  Raster bar{1, 256, {}};
  for (int i = 0; i < bar.rows; ++i) bar.pixels.push_back(viridis(1 - i / 255.0));
  canvas.image(bar, area);
  canvas.outline({crisp(area.left), crisp(area.top), area.width, area.height});
  const Axis axis{low, high, area.bottom(), area.top};
  for (const Tick& tick : ticks(axis, nice_step(axis.high - axis.low, 8))) {
    const double at = axis.pixel(tick.value);
    canvas.line({area.right(), crisp(at)}, {area.right() + 5, crisp(at)});
    canvas.text({area.right() + 9, at + 4.5}, tick.label, {.size = 12});
  }
  canvas.text({area.right() + 46, area.top - 12}, label, {.size = 12, .align = Align::right});
}

}  // namespace fmbym::report
