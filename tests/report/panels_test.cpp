#include "report/panels.hpp"

#include <gtest/gtest.h>

#include "decoded_png.hpp"
#include "report/colour_map.hpp"

namespace fmbym::report {
namespace {

using testing::DecodedPng;
using testing::has_colour;

constexpr Rectangle kArea{80, 50, 310, 310};  // 10 pixels a metre for the surface below

MatchEvidence peak_at(int row, int column) {
  MatchEvidence evidence;
  evidence.side = 31;
  evidence.metres_per_cell = 1;
  evidence.translation.assign(31 * 31, 0.1f);
  evidence.translation[static_cast<std::size_t>(row * 31 + column)] = 0.9f;
  return evidence;
}

// The mean place of a colour in the area, in pixels from its middle: to the right and upwards.
Vec2 centre_of(const Colour& colour, const MatchEvidence& evidence) {
  const Image blank;
  const Match match;
  Canvas canvas(500, 420);
  draw_translation_panel(canvas, kArea, {blank, blank, match, evidence, ""});
  const DecodedPng png(canvas.png());
  Vec2 sum;
  int count = 0;
  for (int row = static_cast<int>(kArea.top); row < kArea.bottom(); ++row)
    for (int column = static_cast<int>(kArea.left); column < kArea.right(); ++column)
      if (has_colour(png.at(row, column), colour)) {
        sum.x += kArea.middle().y - (row + 0.5);
        sum.y += column + 0.5 - kArea.middle().x;
        ++count;
      }
  return {sum.x / count, sum.y / count};
}

TEST(TranslationPanel, ShowsTheSurfaceForwardUpAndRightToTheRight) {
  const Vec2 peak = centre_of(viridis(1), peak_at(15 - 8, 15 + 5));
  EXPECT_NEAR(peak.x, 80, 0.5);
  EXPECT_NEAR(peak.y, 50, 0.5);
}

TEST(TranslationPanel, MarksTheShiftWhereItIsOnTheSurface) {
  MatchEvidence evidence = peak_at(3, 3);
  evidence.shift = {6, -4};
  const Vec2 cross = centre_of(kAlarm, evidence);
  EXPECT_NEAR(cross.x, 60, 1);
  EXPECT_NEAR(cross.y, -40, 1);
}

TEST(MaskPanel, ShowsAheadAboveAndRightOnTheRight) {
  Image mask(31, 1);
  for (int row = 0; row < 5; ++row)
    for (int column = 20; column < 31; ++column) mask.at(row, column) = 1;
  Canvas canvas(500, 420);
  draw_mask_panel(canvas, kArea, mask, "");
  const DecodedPng png(canvas.png());
  const auto at = [&](int row, int column) { return png.at(50 + 10 * row + 5, 80 + 10 * column + 5); };
  EXPECT_TRUE(has_colour(at(2, 25), viridis(1)));
  EXPECT_TRUE(has_colour(at(2, 10), viridis(0)));
  EXPECT_TRUE(has_colour(at(10, 25), viridis(0)));
}

TEST(ColourMap, GetsBrighterWithTheValue) {
  const auto luminance = [](double value) {
    const Colour c = viridis(value);
    return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
  };
  for (int i = 0; i < 100; ++i) EXPECT_LT(luminance(i / 100.0), luminance((i + 1) / 100.0)) << i;
  EXPECT_EQ(luminance(-1), luminance(0));
  EXPECT_EQ(luminance(2), luminance(1));
}

}  // namespace
}  // namespace fmbym::report
