#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <vector>

#include "report/axes.hpp"
#include "report/panels.hpp"
#include "report/text.hpp"

namespace fmbym::report {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr double kHeadroom = 0.14;  // of the curve's height, above it, for the label of the chosen yaw

bool has_curve(const MatchEvidence& evidence) {
  return evidence.yaw.size() == evidence.yaw_score.size() && tells_apart(evidence.yaw) &&
         tells_apart(evidence.yaw_score) && evidence.yaw.front() < evidence.yaw.back();
}

Plot plot_for(const Rectangle& area, const MatchEvidence& evidence) {
  const auto [low, high] = std::minmax_element(evidence.yaw_score.begin(), evidence.yaw_score.end());
  const double range = *high - *low;
  // A candidate stands for half a step to either side of it: half a turn of them reaches from -90° to 90°.
  const double first = evidence.yaw.front() * kDegrees, last = evidence.yaw.back() * kDegrees;
  const double half_step = (last - first) / (2 * (static_cast<double>(evidence.yaw.size()) - 1));
  return {area, first - half_step, last + half_step, *low - 0.04 * range, *high + kHeadroom * range};
}

void draw_curve(Canvas& canvas, const Plot& plot, const MatchEvidence& evidence) {
  std::vector<Point> curve;
  for (std::size_t i = 0; i < evidence.yaw.size(); ++i)
    curve.push_back(plot.at(evidence.yaw[i] * kDegrees, evidence.yaw_score[i]));
  canvas.polyline(curve, {kInk, 1.8});
}

// The chosen yaw, with a band of one standard deviation to either side.
void draw_choice(Canvas& canvas, const Plot& plot, const Match& match) {
  const double yaw = match.T_prev_curr.yaw * kDegrees, spread = sigma(match, 2) * kDegrees;
  const double left = plot.x.pixel(yaw - spread), right = plot.x.pixel(yaw + spread), at = plot.x.pixel(yaw);
  canvas.fill(Rectangle{left, plot.area.top, right - left, plot.area.height}, with_opacity(kAzure, 0.15));
  canvas.line({at, plot.area.top}, {at, plot.area.bottom()}, {kAzure, 1.5});
  const std::string label = fmt::format("{}° ± {}°", number(yaw, 2), number(spread, 2));
  const bool to_the_left = at > plot.area.middle().x;
  canvas.text({at + (to_the_left ? -8 : 8), plot.area.top + 22}, label,
              {.size = 14,
               .colour = {0, 0.36, 0.74},
               .bold = true,
               .align = to_the_left ? Align::right : Align::left});
}

}  // namespace

void draw_rotation_panel(Canvas& canvas, const Rectangle& area, const MatchPicture& picture) {
  draw_heading(canvas, area, "Rotation");
  const MatchEvidence& evidence = picture.evidence;
  if (!has_curve(evidence)) return draw_no_evidence(canvas, area);
  const Plot plot = plot_for(area, evidence);
  const AxisText x{ticks(plot.x, nice_angle_step(plot.x.high - plot.x.low, 6)),
                   "yaw candidate, clockwise [°]"};
  const AxisText y{ticks(plot.y, nice_step(plot.y.high - plot.y.low, 8)), "correlation coefficient"};
  draw_grid(canvas, plot, x, y);
  {
    const auto inside = canvas.clip(area);
    draw_choice(canvas, plot, picture.match);
    draw_curve(canvas, plot, evidence);
  }
  draw_axes(canvas, plot, x, y);
}

}  // namespace fmbym::report
