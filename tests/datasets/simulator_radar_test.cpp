// The simulated sensor alone: things at known places show where geometry says.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "datasets/simulator/radar.hpp"
#include "fmbym/imaging/cartesian_imager.hpp"

namespace fmbym::simulator {
namespace {

constexpr double kStep = 2 * std::numbers::pi / 400;  // between azimuths [rad]
constexpr double kTurnTime = 0.25;                    // [s]

SimulatorConfig quiet() {
  SimulatorConfig config;
  config.noise = 0;
  config.bins = 1728;
  return config;
}

Scatterer pole(double x, double y) {
  Scatterer s;
  s.x = static_cast<float>(x);
  s.y = static_cast<float>(y);
  s.counts = 90;
  return s;
}

// With this velocity [m/s, m/s, rad/s], at the origin in the middle of the turn.
Route moving(const Twist2& v) {
  const auto at = [&](double t) { return SE2::exp({v.x * t, v.y * t, v.yaw * t}); };
  std::vector<double> times;
  std::vector<SE2> poses;
  for (double t = -0.2; t < 0.21; t += 0.02) {
    times.push_back(t + kTurnTime / 2);
    poses.push_back(at(t));
  }
  return Route(times, poses);
}

PolarScan scan_of(const Surroundings& things, const Twist2& velocity = {}) {
  return Radar(quiet()).measure({1'000'000, 0, kTurnTime}, moving(velocity), things, 0);
}

struct Cell {
  int row = 0, bin = 0, counts = 0;
};
// Beyond the sensor's own reflections.
Cell strongest(const PolarScan& scan, int first_bin = 100) {
  Cell best;
  for (int a = 0; a < scan.azimuths(); ++a)
    for (int b = first_bin; b < scan.bins; ++b)
      if (scan.row(a)[b] > best.counts) best = {a, b, scan.row(a)[b]};
  return best;
}

TEST(SimulatedRadar, ALonePoleIsAtItsAzimuthAndRange) {
  for (const Vec2 place : {Vec2{20, 10}, Vec2{-7, 3}, Vec2{0.5, -40}, Vec2{-30, -0.01}}) {
    const PolarScan scan = scan_of({{pole(place.x, place.y)}, {}});
    const Cell peak = strongest(scan);
    const double azimuth = scan.azimuth[static_cast<std::size_t>(peak.row)];
    // Half a step, and the encoder's rounding; the peak is flat over a few bins.
    EXPECT_NEAR(wrap_angle(azimuth - std::atan2(place.y, place.x)), 0, 0.6 * kStep);
    EXPECT_NEAR(scan.range(peak.bin), std::hypot(place.x, place.y), 3 * scan.range_resolution);
  }
}

TEST(SimulatedRadar, APoleIsAsWideAsTheBeamAndTheRangeResponse) {
  const PolarScan scan = scan_of({{pole(30, 0.2)}, {}});
  const Cell peak = strongest(scan);
  int rows = 0, bins = 0;
  for (int a = 0; a < scan.azimuths(); ++a) rows += scan.row(a)[peak.bin] > peak.counts - 12;
  for (int b = 0; b < scan.bins; ++b) bins += scan.row(peak.row)[b] > peak.counts - 12;
  // 6 dB are 12 counts: both ways that is the beam's 1.8 degrees, two steps; the response's is 0.5 m.
  EXPECT_GE(rows, 2);
  EXPECT_LE(rows, 3);
  EXPECT_NEAR(bins * scan.range_resolution, 0.52, 0.1);
}

TEST(SimulatedRadar, EveryAzimuthLooksFromWhereTheSensorIsThen) {
  const Twist2 velocity = {15, 0, 0.4};
  for (const Vec2 place : {Vec2{20, 10}, Vec2{10, -9}, Vec2{-12, -8}, Vec2{25, 3}}) {
    const PolarScan scan = scan_of({{pole(place.x, place.y)}, {}}, velocity);
    const Cell peak = strongest(scan);
    const double t = kTurnTime * (static_cast<double>(peak.row) / 400 - 0.5);
    const SE2 sensor = SE2::exp({velocity.x * t, velocity.y * t, velocity.yaw * t});
    const Vec2 seen = sensor.inverse() * place;
    EXPECT_NEAR(wrap_angle(scan.azimuth[static_cast<std::size_t>(peak.row)] - std::atan2(seen.y, seen.x)), 0,
                0.7 * kStep);
    EXPECT_NEAR(scan.range(peak.bin), std::hypot(seen.x, seen.y), 3 * scan.range_resolution);
  }
}

// The distortion is the one that motion compensation takes out.
TEST(SimulatedRadar, MotionCompensationPutsAPoleBack) {
  const Twist2 velocity = {18, 0, 0.3};
  CartesianImager imager(imaging_for_resolution(255));
  for (const Vec2 place : {Vec2{20, 10}, Vec2{15, -12}, Vec2{-20, 8}}) {
    imager.load(scan_of({{pole(place.x, place.y)}, {}}, velocity));
    const Image image = imager.form(velocity);
    double x = 0, y = 0, sum = 0;
    for (int r = 0; r < image.size(); ++r)
      for (int c = 0; c < image.size(); ++c) {
        const double ahead = (127 - r) * 0.4, right = (c - 127) * 0.4, power = image.at(r, c);
        if (std::hypot(ahead, right) < 4 || power < 0.2) continue;
        x += power * ahead;
        y += power * right;
        sum += power;
      }
    ASSERT_GT(sum, 0);
    EXPECT_NEAR(x / sum, place.x, 0.2);  // half a pixel
    EXPECT_NEAR(y / sum, place.y, 0.2);
  }
}

TEST(SimulatedRadar, AWallShadowsWhatIsBehindIt) {
  const Shadow wall{{15, -5}, {15, 5}, 40};
  const int open = strongest(scan_of({{pole(30, 1)}, {}})).counts;
  const int shadowed = strongest(scan_of({{pole(30, 1)}, {wall}})).counts;
  const int before = strongest(scan_of({{pole(12, 1)}, {wall}})).counts;
  EXPECT_NEAR(open - shadowed, 40, 2);
  EXPECT_GT(before, open);
}

TEST(SimulatedRadar, AMovingCarIsWhereItIsWhenTheBeamMeetsIt) {
  Scatterer car = pole(5, 20);
  car.velocity_x = -20;
  const PolarScan scan = scan_of({{car}, {}});
  const Cell peak = strongest(scan);
  const double t = kTurnTime * (static_cast<double>(peak.row) / 400 - 0.5);
  const double azimuth = scan.azimuth[static_cast<std::size_t>(peak.row)];
  EXPECT_NEAR(azimuth, std::atan2(20, 5 - 20 * t), 0.7 * kStep);
}

// Of real scans 40 to 48 % of the far range is 0, and the correlations are 0.94, 0.87, 0.78 and 0.67.
TEST(SimulatedRadar, NoiseIsCorrelatedAlongRangeAsTheSensorsIs) {
  SimulatorConfig config;
  config.bins = 3768;
  const PolarScan scan = Radar(config).measure({1'000'000, 0, kTurnTime}, moving({}), {}, 7);
  constexpr std::array expected = {1.0, 0.94, 0.87, 0.78, 0.67};
  std::array<double, 5> products{};
  double n = 0, zeros = 0, sum = 0;
  for (int a = 0; a < scan.azimuths(); ++a)
    for (int b = 2000; b + 4 < scan.bins; ++b, ++n) {
      const std::uint8_t* p = scan.row(a) + b;
      zeros += p[0] == 0;
      sum += p[0];
      for (std::size_t lag = 0; lag < products.size(); ++lag) products[lag] += p[0] * p[lag];
    }
  EXPECT_GT(zeros / n, 0.38);
  EXPECT_LT(zeros / n, 0.58);  // without anything to see
  const double mean = sum / n, variance = products[0] / n - mean * mean;
  for (std::size_t lag = 1; lag < products.size(); ++lag)
    EXPECT_NEAR((products[lag] / n - mean * mean) / variance, expected[lag], 0.04) << lag;
}

}  // namespace
}  // namespace fmbym::simulator
