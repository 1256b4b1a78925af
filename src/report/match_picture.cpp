#include "fmbym/report/match_picture.hpp"

#include <fmt/format.h>

#include <numbers>

#include "fmbym/core/file.hpp"
#include "report/canvas.hpp"
#include "report/colour_bar.hpp"
#include "report/panels.hpp"
#include "report/text.hpp"

namespace fmbym {
namespace report {
namespace {

constexpr int kWidth = 1500, kHeight = 620, kMaskHeight = 510;
constexpr double kMargin = 30, kTop = 128, kPanelHeight = 430;
constexpr Rectangle kScans{kMargin, kTop, kPanelHeight, kPanelHeight};
constexpr Rectangle kRotation{545, kTop, 345, kPanelHeight};
constexpr Rectangle kTranslation{974, kTop, kPanelHeight, kPanelHeight};
constexpr Rectangle kPreviousMask{kMargin, kHeight + 30, kPanelHeight, kPanelHeight};
constexpr Rectangle kCurrentMask{490, kHeight + 30, kPanelHeight, kPanelHeight};
constexpr Rectangle kMaskLegend{kCurrentMask.right() + 14, kCurrentMask.top, 16, kPanelHeight};

std::string describe(const Match& match) {
  constexpr double degrees = 180 / std::numbers::pi;
  const auto& [x, y, yaw] = match.T_prev_curr;
  return fmt::format(
      "x {} ± {} m      y {} ± {} m      yaw {} ± {}°      correlation {}      second peak over first: yaw "
      "{}, translation {}",
      number(x, 3), number(sigma(match, 0), 3), number(y, 3), number(sigma(match, 1), 3),
      number(yaw * degrees, 3), number(sigma(match, 2) * degrees, 3), number(match.correlation, 3),
      number(match.yaw_peak_ratio, 2), number(match.translation_peak_ratio, 2));
}

// The text, or as much of its beginning as fits.
std::string fitted(Canvas& canvas, const std::string& text, const TextStyle& style, double width) {
  std::string line = drawable(text);
  const auto cut = [&](std::size_t bytes) { return std::string(first_bytes(line, bytes)) + "…"; };
  if (canvas.text_width(line, style) <= width) return line;
  std::size_t fits = 0, too_long = line.size();
  while (too_long - fits > 1) {
    const std::size_t half = (fits + too_long) / 2;
    (canvas.text_width(cut(half), style) <= width ? fits : too_long) = half;
  }
  return cut(fits);
}

void draw_header(Canvas& canvas, const MatchPicture& picture) {
  const TextStyle title{.size = 20, .bold = true};
  const TextStyle alarm{.size = 20, .colour = kAlarm, .bold = true, .align = Align::right};
  double room = kWidth - 2 * kMargin;
  if (!picture.match.reliable) {
    canvas.text({kWidth - kMargin, 40}, "NOT RELIABLE", alarm);
    room -= canvas.text_width("NOT RELIABLE", alarm) + 40;
  }
  canvas.text({kMargin, 40}, fitted(canvas, picture.title, title, room), title);
  canvas.text({kMargin, 70}, describe(picture.match), {.size = 14, .colour = kInk});
}

Canvas draw(const MatchPicture& picture) {
  const bool masked = picture.current_mask && picture.previous_mask;
  Canvas canvas(kWidth, masked ? kHeight + kMaskHeight : kHeight);
  draw_header(canvas, picture);
  draw_scan_panel(canvas, kScans, picture);
  draw_rotation_panel(canvas, kRotation, picture);
  draw_translation_panel(canvas, kTranslation, picture);
  if (masked) {
    draw_mask_panel(canvas, kPreviousMask, *picture.previous_mask, "Mask of the previous scan");
    draw_mask_panel(canvas, kCurrentMask, *picture.current_mask, "Mask of the current scan");
    draw_colour_bar(canvas, kMaskLegend, 0, 1, "0 hides, 1 keeps");
  }
  return canvas;
}

}  // namespace
}  // namespace report

void write_match_picture(const std::filesystem::path& png, const MatchPicture& picture) {
  write_file(png, report::draw(picture).png());
}

}  // namespace fmbym
