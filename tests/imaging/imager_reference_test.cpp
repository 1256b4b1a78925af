// The tabulated imager against the plain one.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "fmbym/imaging/cartesian_imager.hpp"
#include "reference_imager.hpp"
#include "support/synthetic_world.hpp"

namespace fmbym {
namespace {

using testing::ReferenceImager;
using testing::Reflector;
using testing::ScanGeometry;
using testing::SyntheticWorld;

constexpr int kSize = 63;
constexpr double kMetresPerPixel = 0.8;  // 25 m to every side, 35 m to the corners

// Between cells of half a pixel (h = 0.4 m) the range average is interpolated: an error of h²/8 times its
// curvature, which for blobs of σ = 2 m and half power is 0.5/σ²: 0.0025; rounding power to whole counts adds
// a little less.
constexpr double kInterpolation = 0.005;
// Where pixels fall on cells exactly, straight ahead and to the sides, only float sums up to a few thousand
// counts remain.
constexpr double kRounding = 1e-5;

PolarScan smooth_scan(const ScanGeometry& geometry = {}) {
  std::vector<Reflector> spiral;  // far enough apart not to add up
  for (int i = 1; i <= 16; ++i) spiral.push_back({rotate(2.4 * i, {8.0 * std::sqrt(i), 0}), 2, 0.5});
  return SyntheticWorld(spiral).scan({}, geometry);
}

void expect_near(const Image& actual, const Image& expected, double tolerance) {
  for (int r = 0; r < actual.size(); ++r)
    for (int c = 0; c < actual.size(); ++c)
      ASSERT_NEAR(actual.at(r, c), expected.at(r, c), tolerance) << "row " << r << ", column " << c;
}

void expect_reference(const PolarScan& scan, double tolerance = kInterpolation) {
  CartesianImager imager({kSize, kMetresPerPixel});
  expect_near(imager.form(scan), ReferenceImager(scan, kSize, kMetresPerPixel).form(), tolerance);
}

TEST(CartesianImagerAgainstReference, EvenlySpacedAzimuths) {
  expect_reference(smooth_scan());
}

TEST(CartesianImagerAgainstReference, EncoderThatStartsAnywhere) {
  for (const double first : {0.0146, 1.0, 3.1, 6.28, -0.5, 20.0}) {
    SCOPED_TRACE(first);
    expect_reference(smooth_scan({.first_azimuth = first}));
  }
}

TEST(CartesianImagerAgainstReference, IrregularAzimuths) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> jitter(-0.4, 0.4);
  PolarScan scan = smooth_scan();
  for (double& azimuth : scan.azimuth) azimuth += jitter(random) * 2 * std::numbers::pi / 400;
  expect_reference(scan);
}

TEST(CartesianImagerAgainstReference, AzimuthsOnlyPartOfTheTurn) {
  // A hole from the last to the first, bridged by interpolation; power must differ little from row to row
  // across it.
  PolarScan scan = smooth_scan({.azimuths = 90});
  scan.azimuth.resize(70);
  scan.power.resize(scan.azimuth.size() * static_cast<std::size_t>(scan.bins));
  expect_reference(scan);
}

TEST(CartesianImagerAgainstReference, FewAzimuthsAndCoarseBins) {
  // Bins as long as pixels: power is a staircase with steps of up to 0.1, the slope of its average over 0.8 m
  // changes by 0.1/0.8 m at each, and linear interpolation errs by h/4 of that.
  expect_reference(smooth_scan({.azimuths = 32, .bins = 60, .range_resolution = 0.7, .range_offset = -0.31}),
                   0.0125);
}

TEST(CartesianImagerAgainstReference, RangeOffsets) {
  for (const double offset : {-0.31, 0.5}) {
    SCOPED_TRACE(offset);
    // Content begins beyond the offset, so that there is no edge to interpolate over.
    PolarScan scan = smooth_scan();
    for (int a = 0; a < scan.azimuths(); ++a) std::fill_n(scan.row(a), 20, std::uint8_t{0});
    scan.range_offset = offset;
    CartesianImager imager({kSize, kMetresPerPixel});
    const Image actual = imager.form(scan), expected = ReferenceImager(scan, kSize, kMetresPerPixel).form();
    for (int i = 0; i < kSize; ++i) {
      ASSERT_NEAR(actual.at(i, kSize / 2), expected.at(i, kSize / 2), kRounding) << i;
      ASSERT_NEAR(actual.at(kSize / 2, i), expected.at(kSize / 2, i), kRounding) << i;
    }
  }
}

TEST(CartesianImagerAgainstReference, NoiseIsAveragedExactlyOnTheAxes) {
  PolarScan scan = SyntheticWorld::empty_scan({});
  std::mt19937 random(5);
  for (auto& power : scan.power) power = static_cast<std::uint8_t>(random());
  CartesianImager imager({kSize, kMetresPerPixel});
  const Image actual = imager.form(scan), expected = ReferenceImager(scan, kSize, kMetresPerPixel).form();
  for (int i = 0; i < kSize; ++i) {
    ASSERT_NEAR(actual.at(i, kSize / 2), expected.at(i, kSize / 2), kRounding) << i;
    ASSERT_NEAR(actual.at(kSize / 2, i), expected.at(kSize / 2, i), kRounding) << i;
  }
}

}  // namespace
}  // namespace fmbym
