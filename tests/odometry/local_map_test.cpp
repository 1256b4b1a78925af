// A map of one scan is that scan; of several their weighted mean, wherever it is looked at from.
#include "fmbym/odometry/local_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "fmbym/core/error.hpp"
#include "support/synthetic_world.hpp"

namespace fmbym {
namespace {

using testing::SyntheticWorld;

constexpr int kSize = 101;
constexpr double kPixel = 0.5;

Image scan_at(const SE2& pose) {
  static const SyntheticWorld world = SyntheticWorld::make(18, 1.2);
  return world.image(pose, kSize, kPixel);
}

Image view_of(const LocalMap& map, const SE2& pose) {
  Image view(kSize, kPixel);
  map.look_from(pose, view);
  return view;
}

// Within a disc around the middle, which no rotation takes out of the image.
double largest_difference(const Image& a, const Image& b, double radius = 0.4 * kSize) {
  double largest = 0;
  for (int r = 0; r < kSize; ++r)
    for (int c = 0; c < kSize; ++c)
      if (std::hypot(r - kSize / 2, c - kSize / 2) < radius)
        largest = std::max(largest, double(std::abs(a.at(r, c) - b.at(r, c))));
  return largest;
}

TEST(LocalMap, OfOneScanIsThatScan) {
  for (const SE2& pose : {SE2{}, SE2{3, -7, 0}, SE2{1000, -2000, 0}}) {
    LocalMap map({}, kSize, kPixel);
    EXPECT_TRUE(map.empty());
    map.add(scan_at({}), pose);
    EXPECT_FALSE(map.empty());
    EXPECT_LT(largest_difference(view_of(map, pose), scan_at({})), 1e-4);
  }
}

TEST(LocalMap, LooksFromElsewhereAsTheSensorWould) {
  for (const SE2& pose : {SE2{2.3, -1.1, 0.4}, SE2{-1.7, 0.6, -2.5}, SE2{0.2, 0.3, 3.1}}) {
    LocalMap map({}, kSize, kPixel);
    map.add(scan_at({1, 2, 0.7}), {1, 2, 0.7});
    // Two bilinear samples of blobs 2.4 pixels wide lower their peaks by some per cent.
    EXPECT_LT(largest_difference(view_of(map, pose), scan_at(pose), 0.25 * kSize), 0.12);
  }
}

TEST(LocalMap, IsTheMeanOfItsScansFadedByAge) {
  LocalMap map({.fade = 0.5}, kSize, kPixel);
  Image ones(kSize, kPixel), threes = ones;
  for (float& v : ones.pixels()) v = 1;
  for (float& v : threes.pixels()) v = 3;
  map.add(ones, {});
  map.add(threes, {});
  EXPECT_NEAR(view_of(map, {}).at(kSize / 2, kSize / 2), (0.5 * 1 + 3) / 1.5, 1e-6);
  map.clear();
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(view_of(map, {}).at(kSize / 2, kSize / 2), 0);
}

TEST(LocalMap, FadesForeverWithoutOverflow) {
  LocalMap map({.fade = 0.1}, kSize, kPixel);
  Image ones(kSize, kPixel);
  for (float& v : ones.pixels()) v = 1;
  for (int i = 0; i < 200; ++i) map.add(ones, {});
  EXPECT_NEAR(view_of(map, {}).at(kSize / 2, kSize / 2), 1, 1e-5);
}

TEST(LocalMap, WithoutMemoryIsTheLastScan) {
  LocalMap map({.fade = 0}, kSize, kPixel);
  map.add(scan_at({}), {});
  map.add(scan_at({1, 0, 0}), {1, 0, 0});
  EXPECT_LT(largest_difference(view_of(map, {1, 0, 0}), scan_at({1, 0, 0})), 1e-4);
}

// Each step moves the map's middle along by whole pixels: what is still in sight must not move or blur.
TEST(LocalMap, KeepsWhatItHasWhileTheVehicleDrivesOn) {
  const Image blank(kSize, kPixel);
  for (const SE2& step : {SE2{3, 0, 0}, SE2{-3, 0, 0}, SE2{0, 3, 0}, SE2{-2, -3, 0}, SE2{2.2, 1.3, 0}}) {
    LocalMap map({.fade = 0.999}, kSize, kPixel);
    const Image scan = scan_at({});
    map.add(scan, {});
    SE2 pose;
    for (int i = 0; i < 5; ++i) {
      pose = pose * step;
      map.add(blank, pose);
    }
    Image expected = scan;
    for (float& v : expected.pixels()) v /= 6;  // of six scans, one shows something
    EXPECT_LT(largest_difference(view_of(map, {}), expected, 0.2 * kSize), 2e-3);
  }
}

TEST(LocalMap, ForgetsWhatIsFarAway) {
  LocalMap map({.fade = 0.999}, kSize, kPixel);
  map.add(scan_at({}), {});
  map.add(Image(kSize, kPixel), {500, 300, 0});
  EXPECT_EQ(largest_difference(view_of(map, {500, 300, 0}), Image(kSize, kPixel)), 0);
  EXPECT_EQ(largest_difference(view_of(map, {}), Image(kSize, kPixel)), 0);
}

TEST(LocalMap, TakesAScanByDistanceOrAngle) {
  LocalMap map({.keyframe_distance = 2, .keyframe_angle = 0.1}, kSize, kPixel);
  EXPECT_TRUE(map.is_keyframe({}));
  map.add(scan_at({}), {5, 5, 1});
  EXPECT_FALSE(map.is_keyframe({6, 6, 1.05}));
  EXPECT_TRUE(map.is_keyframe({5, 7.1, 1}));
  EXPECT_TRUE(map.is_keyframe({5, 5, 0.85}));
}

TEST(MapConfig, RefusesNonsense) {
  EXPECT_THROW(MapConfig({.keyframe_distance = -1}).validate(), Error);
  EXPECT_THROW(MapConfig({.keyframe_angle = std::nan("")}).validate(), Error);
  EXPECT_THROW(MapConfig({.fade = 1}).validate(), Error);
  EXPECT_THROW(MapConfig({.fade = -0.1}).validate(), Error);
}

}  // namespace
}  // namespace fmbym
