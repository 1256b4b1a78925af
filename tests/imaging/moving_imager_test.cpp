// Images as seen from the middle of the turn, by a sensor that moves while it turns.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "fmbym/core/error.hpp"
#include "fmbym/imaging/cartesian_imager.hpp"
#include "reference_imager.hpp"
#include "support/synthetic_world.hpp"

namespace fmbym {
namespace {

using testing::Facing;
using testing::ReferenceImager;
using testing::Reflector;
using testing::ScanGeometry;
using testing::SyntheticWorld;

constexpr double kPi = std::numbers::pi;
constexpr double kTurnTime = SyntheticWorld::kTurnSeconds;
constexpr ImagingConfig kConfig{127, 0.4};
constexpr int kMiddle = 63;

const Twist2 kVelocities[] = {{15, 0, 0},  {-8, 0, 0},     {0, 3, 0},      {0, 0, 0.6},
                              {0, 0, -.6}, {12, 0.5, 0.5}, {20, -1, -0.4}, {-5, 0.2, 0.3}};
const Twist2 kFastest{30, 0, kPi / 3};

Image form(const PolarScan& scan, const Twist2& velocity, const ImagingConfig& config = kConfig) {
  CartesianImager imager(config);
  imager.load(scan);
  return imager.form(velocity);
}

// Where the blob stands whose brightest pixel is within 5 m of a point [m].
Vec2 blob_near(const Image& image, const Vec2& point) {
  const double metres = image.metres_per_pixel();
  const int middle = image.size() / 2;
  const auto position = [&](int r, int c) { return Vec2{(middle - r) * metres, (c - middle) * metres}; };
  const auto for_pixels_within = [&](double reach, const Vec2& of, const auto& visit) {
    for (int r = 0; r < image.size(); ++r) {
      for (int c = 0; c < image.size(); ++c) {
        const Vec2 at = position(r, c);
        if (std::hypot(at.x - of.x, at.y - of.y) < reach) visit(at, double(image.at(r, c)));
      }
    }
  };
  Vec2 brightest;
  double most = 0, sum = 0, x = 0, y = 0;
  for_pixels_within(5, point, [&](const Vec2& at, double power) {
    if (power > most) most = power, brightest = at;
  });
  for_pixels_within(2.5, brightest, [&](const Vec2& at, double power) {
    sum += power, x += power * at.x, y += power * at.y;
  });
  return {x / sum, y / sum};
}

double distance(const Vec2& a, const Vec2& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

// Power that tells where it was read: the cell, or the azimuth.
void fill_with_cells(RangeProfile& profile) {
  for (int a = 0; a < profile.azimuths + 2; ++a)
    for (int k = 0; k < profile.cells; ++k) profile.row(a)[k] = static_cast<float>(k);
}
void fill_with_azimuths(RangeProfile& profile) {
  for (int a = 0; a < profile.azimuths + 2; ++a)
    std::fill_n(profile.row(a), profile.cells, static_cast<float>(a));
}

// Where the first azimuth looks, the middle sees a point half a turn before as well as after.
bool seam_runs_through(int row, int column, double first_azimuth) {
  return std::abs(wrap_angle(std::atan2(column - kMiddle, kMiddle - row) - first_azimuth)) < 1e-6;
}

// How far from its exact place any pixel at least `nearest` metres away is read, in pixels.
double worst_misplacement(const Twist2& velocity, double nearest, double first_azimuth = 0.4) {
  const PolarScan scan = SyntheticWorld::empty_scan({.first_azimuth = first_azimuth});
  const ReferenceImager reference(scan, kConfig.size, kConfig.metres_per_pixel);
  CartesianImager imager(kConfig);
  imager.load(scan);
  fill_with_cells(imager.profile());
  const Image cells = imager.form(velocity);
  fill_with_azimuths(imager.profile());
  const Image azimuths = imager.form(velocity);
  double worst = 0;
  for (int r = 0; r < kConfig.size; r += 2) {
    for (int c = 0; c < kConfig.size; c += 3) {
      const Facing exact = reference.facing(r, c, velocity, imager.turn_time());
      const double cell = exact.range / imager.profile().metres_per_cell;
      if (reference.range(r, c) < nearest) continue;
      // At the seam, and at the last cell, either side may be right.
      if (std::abs(exact.turn) > 0.4999 || seam_runs_through(r, c, first_azimuth)) continue;
      if (cell > imager.profile().cells - 1.1) continue;
      const double beyond = (static_cast<double>(cells.at(r, c)) - cell) / 2;  // two cells a pixel
      const double beside =
          (static_cast<double>(azimuths.at(r, c)) / scan.azimuths() - 0.5 - exact.turn) * 2 * kPi * cell / 2;
      worst = std::max(worst, std::hypot(beyond, beside));
    }
  }
  return worst;
}

TEST(MovingImager, ReadsEveryPixelWhereItWasSeen) {
  // Of the arc the terms up to t² are taken: up to 20 m/s and 0.6 rad/s the next is below 3 mm.
  for (const Twist2& velocity : kVelocities)
    EXPECT_LT(worst_misplacement(velocity, 5), 0.01)
        << velocity.x << ' ' << velocity.y << ' ' << velocity.yaw;
  // At motorway speed it is 1 cm, though the sensor comes within 1.3 m of what is 5 m away.
  EXPECT_LT(worst_misplacement(kFastest, 5), 0.04);
  EXPECT_LT(worst_misplacement({30, 0, 0}, 5, kPi / 2), 0.03);  // passing what is faced first and last
}

TEST(MovingImager, ReadsEveryPixelWhereverTheTurnBegins) {
  for (const double first : {0.0, 1.0, 3.1, 6.28, -0.5, 20.0})
    EXPECT_LT(worst_misplacement({12, 0.5, 0.5}, 5, first), 0.02) << first;
}

void expect_reference(const PolarScan& scan, const Twist2& velocity) {
  const ReferenceImager reference(scan, kConfig.size, kConfig.metres_per_pixel);
  const Image image = form(scan, velocity);
  for (int r = 0; r < kConfig.size; r += 2) {
    for (int c = 0; c < kConfig.size; c += 2) {
      const Facing faced = reference.facing(r, c, velocity, kTurnTime);
      if (reference.range(r, c) < 5 || std::abs(std::abs(faced.turn) - 0.5) < 1e-4 || faced.range > 35)
        continue;
      // Interpolation in range as of the standing sensor, at half the pixel size; a pixel misplaced by 0.02
      // or 8 mm adds as much, on flanks of 0.15 a metre.
      ASSERT_NEAR(image.at(r, c), reference.pixel(r, c, velocity, kTurnTime), 0.003) << r << ' ' << c;
    }
  }
}

PolarScan smooth_scan(const ScanGeometry& geometry = {}) {
  std::vector<Reflector> spiral;  // far enough apart not to add up
  for (int i = 1; i <= 16; ++i) spiral.push_back({rotate(2.4 * i, {8.0 * std::sqrt(i), 0}), 2, 0.5});
  return SyntheticWorld(spiral).scan({}, geometry);
}

TEST(MovingImager, AgreesWithTheReference) {
  const PolarScan scan = smooth_scan({.first_azimuth = 0.0146});
  for (const Twist2& velocity : kVelocities) {
    SCOPED_TRACE(velocity.x);
    expect_reference(scan, velocity);
  }
}

TEST(MovingImager, AgreesWithTheReferenceOnIrregularAzimuths) {
  PolarScan scan = smooth_scan({.first_azimuth = 2});
  std::mt19937 random(4);
  std::uniform_real_distribution<double> jitter(-0.4, 0.4);
  for (double& azimuth : scan.azimuth) azimuth += jitter(random) * 2 * kPi / 400;
  std::vector<double>& kept = scan.azimuth;  // and some are missing
  for (const int lost : {300, 120, 119}) {
    kept.erase(kept.begin() + lost);
    scan.azimuth_time_us.erase(scan.azimuth_time_us.begin() + lost);
    scan.power.erase(scan.power.begin() + std::ptrdiff_t(lost) * scan.bins,
                     scan.power.begin() + std::ptrdiff_t(lost + 1) * scan.bins);
  }
  // The turn time is off by a part in 10⁴ from the jitter, which is nothing at 0.15 power a metre.
  for (const Twist2& velocity : kVelocities) expect_reference(scan, velocity);
}

TEST(MovingImager, StandingStillItIsTheStandingImager) {
  for (const double first : {0.0, 0.3, 5.0}) {
    const PolarScan scan = SyntheticWorld::make(30, 1.5).scan({}, {.first_azimuth = first});
    const Image standing = CartesianImager(kConfig).form(scan), still = form(scan, {});
    // Rounding by 5e-4 of a step of the table is 2e-5 of an azimuth; power differs by at most 1 from one to
    // the next.
    for (std::size_t i = 0; i < still.pixels().size(); ++i)
      ASSERT_NEAR(still.pixels()[i], standing.pixels()[i], 1e-4) << i;
  }
}

// What the whole thing is for.
TEST(MovingImager, CircleOfTargetsStaysWhereItStands) {
  std::vector<Reflector> circle;  // 10 m apart, clear of the seam ahead
  for (int i = 0; i < 12; ++i) circle.push_back({rotate((i + 0.5) * kPi / 6, {20, 0}), 0.6, 1});
  for (const Twist2& velocity : {Twist2{20, 0, 0}, {-10, 0, 0}, {0, 8, 0}, {15, 0.5, 0.5}, {15, 0, -0.5}}) {
    const PolarScan scan = SyntheticWorld(circle).scan({}, {}, velocity);
    const Image compensated = form(scan, velocity), as_if_standing = CartesianImager(kConfig).form(scan);
    double worst_standing = 0;
    for (const Reflector& target : circle) {
      // Half an azimuth is 0.16 m here; the blob spreads over many and its middle is finer.
      EXPECT_LT(distance(blob_near(compensated, target.position), target.position), 0.1)
          << velocity.x << ' ' << velocity.yaw << ": " << target.position.x << ' ' << target.position.y;
      worst_standing =
          std::max(worst_standing, distance(blob_near(as_if_standing, target.position), target.position));
    }
    // Next to the seam it is what the sensor moves in 11/24 of a turn.
    EXPECT_GT(worst_standing, 0.8 * std::hypot(velocity.x, velocity.y) * kTurnTime * 11 / 24);
  }
}

TEST(MovingImager, TargetIsDisplacedByTheWayWithoutCompensation) {
  // At 30° before the seam the radar is 5/12 of a turn past the middle; the car came 2.08 m closer at 20 m/s.
  const Vec2 target = rotate(-kPi / 6, {20, 0});
  const PolarScan scan = SyntheticWorld({{target, 0.6, 1}}).scan({}, {}, {20, 0, 0});
  const Vec2 standing = blob_near(CartesianImager(kConfig).form(scan), target);
  EXPECT_NEAR(standing.x, target.x - 20 * kTurnTime * 5 / 12, 0.1);
  EXPECT_NEAR(standing.y, target.y, 0.1);
}

PolarScan constant_scan(const ScanGeometry& geometry = {}) {
  PolarScan scan = SyntheticWorld::empty_scan(geometry);
  std::fill(scan.power.begin(), scan.power.end(), std::uint8_t{102});
  return scan;
}

TEST(MovingImager, OnlyWhatWasNeverFacedIsDark) {
  const double pixels = kConfig.size * kConfig.size;
  for (const double yaw_rate : {-1.0, -0.3, 0.3, 1.0}) {
    const Image image = form(constant_scan(), {0, 0, yaw_rate});
    int dark = 0;
    for (const float power : image.pixels()) {
      // Float sums of some thousand counts.
      ASSERT_TRUE(power == 0 || std::abs(power - 0.4f) < 1e-4f) << power;
      dark += power == 0;
    }
    // Turning clockwise the radar sees more than the whole circle, turning against it less. The wedge ahead
    // is narrow: what it is of the circle it is of the square times the square's cut through the middle.
    const double wedge = std::max(0.0, -yaw_rate) * kTurnTime;  // [rad]
    EXPECT_NEAR(dark, wedge / 2 * pixels / 4, 0.1 * wedge / 2 * pixels / 4 + 2) << yaw_rate;
  }
}

TEST(MovingImager, DarkWedgeLiesAtTheSeam) {
  const Image image = form(constant_scan({.first_azimuth = kPi / 2}), {0, 0, -1});
  EXPECT_EQ(image.at(kMiddle, kMiddle + 40), 0);      // the seam, to the right
  EXPECT_GT(image.at(kMiddle, kMiddle - 40), 0.39f);  // the middle of the turn
  EXPECT_GT(image.at(kMiddle - 40, kMiddle), 0.39f);
  EXPECT_GT(image.at(kMiddle + 40, kMiddle), 0.39f);
}

TEST(MovingImager, AnyVelocityGivesAnImage) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  CartesianImager imager(kConfig);
  imager.load(constant_scan());
  for (const Twist2& velocity : {Twist2{300, 0, 0},
                                 {0, -1e4, 3},
                                 {0, 0, 100},
                                 {0, 0, -25.1327},
                                 {1e20, 1e20, 1e20},
                                 {1e300, 0, 0},
                                 {inf, 0, 0},
                                 {0, 0, -inf},
                                 {0, nan, 0},
                                 {0, 0, nan}}) {
    const Image image = imager.form(velocity);
    for (const float power : image.pixels())
      ASSERT_TRUE(power >= 0 && power < 0.41f) << power << " at " << velocity.x << ' ' << velocity.yaw;
  }
}

TEST(MovingImager, CornersBeyondTheProfileAreDark) {
  // The cells end at the corner, 35.6 m away; from 2.5 m behind the corners ahead are beyond.
  const Image image = form(constant_scan(), {20, 0, 0});
  EXPECT_GT(image.at(0, kMiddle), 0.39f);
  EXPECT_EQ(image.at(0, kConfig.size - 1), 0);  // early in the turn, seen from behind
  EXPECT_GT(image.at(0, 0), 0.39f);             // late, seen from ahead
}

TEST(MovingImager, MaskedProfileGivesABlankImage) {
  CartesianImager imager(kConfig);
  imager.load(constant_scan());
  std::fill(imager.profile().power.begin(), imager.profile().power.end(), 0.0f);
  const Image image = imager.form(Twist2{10, 0, 0.2});
  for (const float power : image.pixels()) ASSERT_EQ(power, 0);
}

TEST(MovingImager, OneScanServesSeveralMotions) {
  const PolarScan scan = SyntheticWorld::make(20, 1).scan({});
  CartesianImager imager(kConfig);
  imager.load(scan);
  const Image first = imager.form(Twist2{10, 0, 0.2});
  const Image other = imager.form(Twist2{-10, 0, 0.2});
  EXPECT_NE(first.pixels(), other.pixels());
  EXPECT_EQ(imager.form(Twist2{10, 0, 0.2}).pixels(), first.pixels());
  EXPECT_EQ(imager.form(scan).pixels(), CartesianImager(kConfig).form(scan).pixels());
}

TEST(MovingImager, RecyclesMemory) {
  const PolarScan scan = SyntheticWorld::make(20, 1).scan({});
  CartesianImager imager(kConfig);
  imager.load(scan);
  const Image fresh = imager.form(Twist2{10, 0, -0.5});
  Image used = imager.form(scan);
  const float* memory = used.pixels().data();
  const Image again = imager.form(Twist2{10, 0, -0.5}, std::move(used));
  EXPECT_EQ(again.pixels(), fresh.pixels());
  EXPECT_EQ(again.pixels().data(), memory);
}

TEST(MovingImager, NeedsAScan) {
  CartesianImager imager(kConfig);
  EXPECT_THROW(imager.form(Twist2{}), Error);
  EXPECT_THROW(imager.load(PolarScan{}), Error);
}

double turn_time(const PolarScan& scan) {
  CartesianImager imager(kConfig);
  imager.load(scan);
  return imager.turn_time();
}

TEST(TurnTime, IsTheSlopeOfTheTimes) {
  for (const double first : {0.0, 3.0, 6.2}) {
    PolarScan scan = SyntheticWorld::empty_scan({.first_azimuth = first});
    for (auto& time : scan.azimuth_time_us) time = 1'547'131'046'353'776 + time * 2;
    for (double& azimuth : scan.azimuth) azimuth = std::fmod(azimuth, 2 * kPi);  // as encoders do
    EXPECT_NEAR(turn_time(scan), 0.5, 1e-5);
  }
}

TEST(TurnTime, BearsAnEncoderThatStutters) {
  PolarScan scan = SyntheticWorld::empty_scan({});
  std::swap(scan.azimuth[100], scan.azimuth[101]);
  EXPECT_NEAR(turn_time(scan), kTurnTime, 1e-5);
}

TEST(TurnTime, SeesThroughPackets) {
  // 16 azimuths stamped within 2 ms when their packet came, then 8 ms nothing.
  PolarScan scan = SyntheticWorld::empty_scan({});
  for (std::size_t a = 0; a < scan.azimuth.size(); ++a)
    scan.azimuth_time_us[a] = static_cast<std::int64_t>(a / 16 * 10'000 + a % 16 / 2 * 250);
  // A saw of ±4 ms nearly averages out over 25 packets; at 30 m/s what remains is 8 mm at the seam.
  EXPECT_NEAR(turn_time(scan), kTurnTime, 0.002 * kTurnTime);
}

TEST(TurnTime, IsAQuarterOfASecondWhereTimesTellNothing) {
  const PolarScan good = SyntheticWorld::empty_scan({});
  PolarScan equal = good, absent = good, too_few = good, backwards = good, one = good, standing = good;
  for (auto& time : equal.azimuth_time_us) time = 1'547'131'046'353'776;
  absent.azimuth_time_us.clear();
  too_few.azimuth_time_us.resize(399);
  for (auto& time : backwards.azimuth_time_us) time *= -3;
  one.azimuth.resize(1), one.azimuth_time_us.resize(1);
  for (double& azimuth : standing.azimuth) azimuth = 1;  // the radar does not turn
  for (auto& time : standing.azimuth_time_us) time *= 3;
  for (const PolarScan* scan : {&equal, &absent, &too_few, &backwards, &one, &standing})
    EXPECT_EQ(turn_time(*scan), 0.25);
  const Image dark = form(one, {10, 0, 0.1});  // one azimuth is every azimuth's neighbour
  for (const float power : dark.pixels()) ASSERT_EQ(power, 0);
}

}  // namespace
}  // namespace fmbym
