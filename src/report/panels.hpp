// The panels of the picture of a match.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "fmbym/report/match_picture.hpp"
#include "report/canvas.hpp"

namespace fmbym::report {

void draw_scan_panel(Canvas& canvas, const Rectangle& area, const MatchPicture& picture);
void draw_rotation_panel(Canvas& canvas, const Rectangle& area, const MatchPicture& picture);
void draw_translation_panel(Canvas& canvas, const Rectangle& area, const MatchPicture& picture);
void draw_mask_panel(Canvas& canvas, const Rectangle& area, const Image& mask, const std::string& heading);

inline void draw_heading(Canvas& canvas, const Rectangle& area, const std::string& heading) {
  canvas.text({area.left, area.top - 12}, heading, {.size = 15, .bold = true});
}

inline void draw_no_evidence(Canvas& canvas, const Rectangle& area) {
  canvas.fill(area, {0.95, 0.95, 0.955});
  canvas.outline(area, {kGrid, 1});
  canvas.text(area.middle(), "no evidence", {.size = 16, .colour = kFaintInk, .align = Align::middle});
}

// Scores that are all the same, or none, tell no candidate from another.
bool tells_apart(const auto& scores) {
  const auto finite = [](auto v) { return std::isfinite(v); };
  if (scores.empty() || !std::all_of(scores.begin(), scores.end(), finite)) return false;
  const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
  return *low < *high;
}

inline double sigma(const Match& match, std::size_t i) {
  return std::sqrt(std::max(0.0, match.covariance[i][i]));
}

}  // namespace fmbym::report
