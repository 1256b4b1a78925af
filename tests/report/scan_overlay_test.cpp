#include "report/scan_overlay.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "synthetic_pair.hpp"

namespace fmbym::report {
namespace {

using testing::Place;

constexpr int kSide = 200;

Raster overlay(const Image& current, const Image& previous, const SE2& T_prev_curr) {
  Match match;
  match.T_prev_curr = T_prev_curr;
  return overlay_scans({current, previous, match, {}, ""}, kSide);
}

// Mean difference between the strongest and the weakest channel: 0 is grey.
double colourfulness(const Raster& raster) {
  double sum = 0;
  for (const Colour& c : raster.pixels)
    sum += std::max({c.red, c.green, c.blue}) - std::min({c.red, c.green, c.blue});
  return sum / static_cast<double>(raster.pixels.size());
}

double brightest(const Raster& raster) {
  double most = 0;
  for (const Colour& c : raster.pixels) most = std::max({most, c.red, c.green, c.blue});
  return most;
}

TEST(ScanOverlay, OfAScanWithItselfIsGrey) {
  const Image scan = Place().seen_from({});
  const Raster same = overlay(scan, scan, {});
  EXPECT_LT(colourfulness(same), 1e-9);  // the two ways to a pixel differ by rounding at most
  EXPECT_GT(brightest(same), 0.99);
}

TEST(ScanOverlay, IsGreyOnlyWhenAlignedByTheTrueMotion) {
  const SE2 truth{3, -1, 0.15};
  const Place place;
  const Image current = place.seen_from(truth), previous = place.seen_from({});
  const double aligned = colourfulness(overlay(current, previous, truth));
  // What is left: the edges that only one scan sees, and bilinear sampling of targets two pixels wide.
  EXPECT_LT(aligned, 0.25 * colourfulness(overlay(current, previous, {})));
  EXPECT_LT(aligned, 0.25 * colourfulness(overlay(current, previous, truth.inverse())));
  EXPECT_LT(aligned, 0.25 * colourfulness(overlay(current, previous, {truth.x, truth.y, -truth.yaw})));
}

TEST(ScanOverlay, ShowsAheadAboveAndRightOnTheRight) {
  Image ahead(101, 1), blank(101, 1);
  ahead.at(50 - 30, 50 + 20) = 1;  // 30 m ahead, 20 m to the right
  const Raster raster = overlay(blank, ahead, {});
  const auto found = std::max_element(raster.pixels.begin(), raster.pixels.end(),
                                      [](const Colour& a, const Colour& b) { return a.red < b.red; });
  const auto index = static_cast<int>(found - raster.pixels.begin());
  EXPECT_NEAR(index / kSide, (50 - 30 + 0.5) * kSide / 101,
              1.5);  // a pixel of the scan is two of the picture
  EXPECT_NEAR(index % kSide, (50 + 20 + 0.5) * kSide / 101, 1.5);
  EXPECT_GT(found->red, found->blue);  // the previous scan is the orange one
}

TEST(ScanOverlay, IsNotDarkenedByOneStrongTarget) {
  const Image scan = Place().seen_from({});
  Image dazzled = scan;
  dazzled.at(0, 0) = 1000;
  const Raster plain = overlay(scan, scan, {}), with = overlay(dazzled, dazzled, {});
  const auto middle = static_cast<std::size_t>(kSide * kSide / 2);
  double difference = 0;
  for (std::size_t i = middle; i < plain.pixels.size(); ++i)  // the half without the target
    difference = std::max(difference, std::abs(plain.pixels[i].green - with.pixels[i].green));
  EXPECT_LT(difference, 0.01);  // the quantile moves by one pixel of 16129
}

}  // namespace
}  // namespace fmbym::report
