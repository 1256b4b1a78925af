#include <string>

#include "report/axes.hpp"
#include "report/colour_map.hpp"
#include "report/panels.hpp"

namespace fmbym::report {

// In the scan's own frame: x up, y right. Always from 0 to 1, so that two masks can be compared.
void draw_mask_panel(Canvas& canvas, const Rectangle& area, const Image& mask, const std::string& heading) {
  draw_heading(canvas, area, heading);
  if (mask.size() == 0) return draw_no_evidence(canvas, area);
  Raster raster{mask.size(), mask.size(), {}};
  for (const float value : mask.pixels())
    raster.pixels.push_back(viridis(value > 0 ? value : 0));  // what is no number hides
  canvas.image(raster, area);
  canvas.outline({crisp(area.left), crisp(area.top), area.width, area.height});
}

}  // namespace fmbym::report
