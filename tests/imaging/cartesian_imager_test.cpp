#include "fmbym/imaging/cartesian_imager.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

#include "fmbym/core/error.hpp"
#include "support/synthetic_world.hpp"

namespace fmbym {
namespace {

using testing::ScanGeometry;
using testing::SyntheticWorld;

constexpr double kPi = std::numbers::pi;
constexpr ImagingConfig kConfig{63, 0.8};
constexpr int kMiddle = 31;
// Sums of at most 255 × 432 counts are exact in float; what remains is a few roundings of the fractions.
constexpr float kRounding = 1e-4f;

Image form(const PolarScan& scan, const ImagingConfig& config = kConfig) {
  return CartesianImager(config).form(scan);
}

std::pair<int, int> brightest(const Image& image) {
  const auto& pixels = image.pixels();
  const auto at = static_cast<int>(std::max_element(pixels.begin(), pixels.end()) - pixels.begin());
  return {at / image.size(), at % image.size()};
}

// Bins of 0.8 m whose middles are the pixels' middles along the axes: bin b is b+1 pixels away.
PolarScan pixel_scan(double first_azimuth = 0) {
  return SyntheticWorld::empty_scan({.azimuths = 400,
                                     .bins = 60,
                                     .range_resolution = 0.8,
                                     .first_azimuth = first_azimuth,
                                     .range_offset = 0.4});
}

TEST(CartesianImager, ForwardIsUpAndClockwiseIsRight) {
  const std::pair<int, std::pair<int, int>> cells[] = {
      {0, {kMiddle - 10, kMiddle}},    // ahead
      {100, {kMiddle, kMiddle + 10}},  // a quarter turn clockwise: right
      {200, {kMiddle + 10, kMiddle}},  // behind
      {300, {kMiddle, kMiddle - 10}},  // left
  };
  for (const auto& [azimuth, pixel] : cells) {
    PolarScan scan = pixel_scan();
    scan.row(azimuth)[9] = 255;
    const Image image = form(scan);
    EXPECT_EQ(brightest(image), pixel) << azimuth;
    EXPECT_NEAR(image.at(pixel.first, pixel.second), 1, kRounding);
  }
}

TEST(CartesianImager, DiagonalsLieBetween) {
  PolarScan scan = pixel_scan();
  // √2 · 10 pixels away: bins 12 and 13 around it.
  for (const int azimuth : {49, 50, 51}) scan.row(azimuth)[12] = scan.row(azimuth)[13] = 255;
  EXPECT_EQ(brightest(form(scan)), std::pair(kMiddle - 10, kMiddle + 10));
}

TEST(CartesianImager, TurningTheEncoderTurnsTheImage) {
  PolarScan scan = pixel_scan(kPi / 2);  // the first azimuth looks to the right
  scan.row(0)[9] = 255;
  EXPECT_EQ(brightest(form(scan)), std::pair(kMiddle, kMiddle + 10));
}

TEST(CartesianImager, WholeTurnsOfTheEncoderChangeNothing) {
  const PolarScan scan = SyntheticWorld::make(30, 1.5).scan({}, {.first_azimuth = 0.3});
  PolarScan later = scan;
  for (double& azimuth : later.azimuth) azimuth += 2 * kPi;
  PolarScan split = scan;  // passes 2π in the middle of the scan, as encoders do
  for (double& azimuth : split.azimuth)
    if (azimuth > 2 * kPi) azimuth -= 2 * kPi;
  const Image image = form(scan), image_later = form(later), image_split = form(split);
  for (std::size_t i = 0; i < image.pixels().size(); ++i) {
    // The table of bearings has steps of 0.8 mrad and float entries: its rounding moves a pixel by 1e-4 of an
    // azimuth.
    ASSERT_NEAR(image.pixels()[i], image_later.pixels()[i], 1e-4);
    ASSERT_NEAR(image.pixels()[i], image_split.pixels()[i], 1e-4);
  }
}

TEST(CartesianImager, LastAndFirstAzimuthMeetSeamlessly) {
  // The same world with the seam ahead and with the seam behind.
  const SyntheticWorld world = SyntheticWorld::make(30, 1.5);
  const Image ahead = form(world.scan({}, {.first_azimuth = 0})),
              behind = form(world.scan({}, {.first_azimuth = kPi}));
  for (std::size_t i = 0; i < ahead.pixels().size(); ++i)
    ASSERT_NEAR(ahead.pixels()[i], behind.pixels()[i], 1e-4);  // as above
}

TEST(CartesianImager, RangeOffsetMovesWhatIsSeenOutwards) {
  PolarScan scan = pixel_scan();
  scan.row(0)[9] = 255;
  scan.range_offset += 3 * 0.8;
  EXPECT_EQ(brightest(form(scan)), std::pair(kMiddle - 13, kMiddle));
  scan.range_offset -= 8 * 0.8;
  EXPECT_EQ(brightest(form(scan)), std::pair(kMiddle - 5, kMiddle));
}

TEST(CartesianImager, ConstantScanGivesItsPowerWithinRangeAndNothingBeyond) {
  PolarScan scan = SyntheticWorld::empty_scan({.bins = 100});
  std::fill(scan.power.begin(), scan.power.end(), std::uint8_t{102});
  const double reach = 100 * 0.1728;
  const Image image = form(scan);
  for (int r = 0; r < 63; ++r) {
    for (int c = 0; c < 63; ++c) {
      const double range = std::hypot(r - kMiddle, c - kMiddle) * 0.8;
      // A pixel that is partly seen averages what is seen of it; the edge is smeared over half a pixel.
      if (range < reach) {
        ASSERT_NEAR(image.at(r, c), 0.4f, kRounding) << r << ' ' << c;
      } else if (range > reach + 0.8) {
        ASSERT_EQ(image.at(r, c), 0) << r << ' ' << c;
      }
    }
  }
}

TEST(CartesianImager, BlindZoneIsDark) {
  PolarScan scan = SyntheticWorld::empty_scan({.range_offset = 4});
  std::fill(scan.power.begin(), scan.power.end(), std::uint8_t{255});
  const Image image = form(scan);
  EXPECT_EQ(image.at(kMiddle, kMiddle), 0);
  EXPECT_EQ(image.at(kMiddle - 4, kMiddle), 0);               // up to 3.6 m
  EXPECT_NEAR(image.at(kMiddle - 6, kMiddle), 1, kRounding);  // from 4.4 m
}

TEST(CartesianImager, RecycledMemoryHoldsTheSamePixels) {
  const PolarScan scan = SyntheticWorld::make(30, 1.5).scan({});
  CartesianImager imager(kConfig);
  const Image fresh = imager.form(scan);
  Image other = imager.form(SyntheticWorld::make(30, 1.5, 9).scan({}));
  ASSERT_NE(other.pixels(), fresh.pixels());
  const float* memory = other.pixels().data();
  const Image again = imager.form(scan, std::move(other));
  EXPECT_EQ(again.pixels(), fresh.pixels());
  EXPECT_EQ(again.pixels().data(), memory);
}

TEST(CartesianImager, ImageOfAnotherGeometryIsReplaced) {
  const PolarScan scan = SyntheticWorld::make(30, 1.5).scan({});
  CartesianImager imager(kConfig);
  const Image fresh = imager.form(scan);
  for (Image wrong : {Image(31, 0.8), Image(63, 0.4)}) {
    const Image again = imager.form(scan, std::move(wrong));
    EXPECT_TRUE(again.same_geometry(fresh));
    EXPECT_EQ(again.pixels(), fresh.pixels());
  }
}

TEST(CartesianImager, FollowsScansOfChangingGeometry) {
  const SyntheticWorld world = SyntheticWorld::make(30, 1.5);
  CartesianImager imager(kConfig);
  for (const ScanGeometry& geometry :
       {ScanGeometry{}, ScanGeometry{.bins = 864, .range_resolution = 0.0864}, ScanGeometry{.bins = 300},
        ScanGeometry{.azimuths = 250}, ScanGeometry{.range_offset = -0.31}, ScanGeometry{.first_azimuth = 1},
        ScanGeometry{.bins = 60, .range_resolution = 0.7}, ScanGeometry{}}) {
    const PolarScan scan = world.scan({}, geometry);
    EXPECT_EQ(imager.form(scan).pixels(), form(scan).pixels());  // as by an imager that has seen nothing else
  }
}

TEST(ImagingConfig, CoversOneSquareAtEveryResolution) {
  EXPECT_DOUBLE_EQ(imaging_for_resolution(127).metres_per_pixel, 0.8);
  EXPECT_DOUBLE_EQ(imaging_for_resolution(255).metres_per_pixel, 0.4);
  EXPECT_DOUBLE_EQ(imaging_for_resolution(511).metres_per_pixel, 0.2);
}

TEST(ImagingConfig, RefusesWhatCannotBeImaged) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const int size : {-1, 0, 1, 13, 254, 4097}) EXPECT_THROW(CartesianImager({size, 0.4}), Error) << size;
  for (const double metres : {0.0, -0.4, 1e-3, 100.0, nan, inf})
    EXPECT_THROW(CartesianImager({255, metres}), Error) << metres;
  EXPECT_THROW(imaging_for_resolution(256), Error);
  EXPECT_THROW(imaging_for_resolution(-1), Error);
  EXPECT_NO_THROW(imaging_for_resolution(255));
}

}  // namespace
}  // namespace fmbym
