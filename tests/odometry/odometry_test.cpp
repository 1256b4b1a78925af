// The whole way from polar scans to a trajectory, on a drive through a world that is known.
#include "fmbym/odometry/odometry.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "fmbym/core/error.hpp"
#include "odometry/synthetic_drive.hpp"

namespace fmbym {
namespace {

using testing::Drive;
using testing::expect_near;
using testing::kDegree;
using testing::make_drive;
using testing::run;
using testing::SyntheticWorld;

TEST(Odometry, RecoversADrive) {
  const Drive drive = make_drive();
  for (const Method method : {Method::f_raw, Method::raw}) {
    SCOPED_TRACE(to_string(method));
    const auto registrations = run(make_config(method, Preset::standard, 255), drive.scans);
    SE2 T_world_curr;
    for (std::size_t i = 0; i < drive.scans.size(); ++i) {
      // Azimuths 0.9° apart are 0.5 m wide at 30 m, and the world's edge enters and leaves: a tenth of a
      // pixel. The exhaustive search reads sharp peaks to half a candidate, and the shift of that candidate.
      const double metres = method == Method::f_raw ? 0.04 : 0.08;
      const double radians = (method == Method::f_raw ? 0.15 : 0.25) * kDegree;
      expect_near(registrations[i].T_prev_curr, drive.increments[i], metres, radians);
      T_world_curr = T_world_curr * drive.increments[i];
      expect_near(registrations[i].T_world_curr, T_world_curr, metres * double(i) + 1e-12,
                  radians * double(i) + 1e-12);
      EXPECT_TRUE(registrations[i].match.reliable);
    }
  }
}

TEST(Odometry, BeginsWhereTheFirstScanIs) {
  const Drive drive = make_drive();
  const Registration first = run(make_config(Method::f_raw, Preset::standard, 127), {drive.scans[3]})[0];
  expect_near(first.T_prev_curr, {}, 0, 0);
  expect_near(first.T_world_curr, {}, 0, 0);
  EXPECT_EQ(first.timestamp_us, drive.scans[3].timestamp_us);
}

TEST(Odometry, ComposesIncrementsIntoPoses) {
  const Drive drive = make_drive();
  for (const Preset preset : {Preset::paper, Preset::standard}) {
    SE2 T_world_curr;
    for (const Registration& r : run(make_config(Method::f_raw, preset, 127), drive.scans)) {
      T_world_curr = T_world_curr * r.T_prev_curr;
      expect_near(r.T_world_curr, T_world_curr, 1e-12, 1e-12);
      EXPECT_EQ(r.T_prev_curr.x, r.match.T_prev_curr.x);
    }
    EXPECT_GT(T_world_curr.x, 5);
  }
}

TEST(Odometry, StandsStillBeforeTheSameScan) {
  const PolarScan scan = make_drive().scans[2];
  for (const Registration& r : run(make_config(Method::f_raw, Preset::standard, 127), {scan, scan, scan}))
    expect_near(r.T_world_curr, {}, 1e-6, 1e-6);  // a symmetric peak, up to float rounding
}

// Twelve cars pass at 8 m/s on either side; forty things stand.
TEST(Odometry, StandsStillAmongMovingTraffic) {
  Odometry odometry(make_config(Method::f_raw, Preset::standard, 127));
  for (int scan = 0; scan < 12; ++scan) {
    std::vector<testing::Reflector> seen;
    for (int i = 0; i < 40; ++i) seen.push_back({rotate(2.4 * i, {8 + 0.9 * i, 0}), 0.8, 0.5});
    for (int i = 0; i < 12; ++i) {
      const double way = -45 + 8 * i + 2.0 * scan, side = i % 2 == 0 ? 4 : -4;
      seen.push_back({{side > 0 ? way : -way, side}, 1.2, 0.9});
    }
    PolarScan measured = SyntheticWorld(seen).scan({});
    measured.timestamp_us = 1'000'000 + 250'000 * scan;
    const Registration r = odometry.register_scan(measured);
    expect_near(r.T_world_curr, {}, 0, 0);
    EXPECT_TRUE(r.match.reliable);
  }
}

TEST(Odometry, TwoRunsGiveTheSameBytes) {
  const Drive drive = make_drive();
  for (const Method method : {Method::f_raw, Method::raw}) {
    const OdometryConfig config = make_config(method, Preset::standard, 127);
    const auto first = run(config, drive.scans), second = run(config, drive.scans);
    for (std::size_t i = 0; i < first.size(); ++i) {
      EXPECT_EQ(first[i].T_world_curr.x, second[i].T_world_curr.x);
      EXPECT_EQ(first[i].T_world_curr.y, second[i].T_world_curr.y);
      EXPECT_EQ(first[i].T_world_curr.yaw, second[i].T_world_curr.yaw);
      EXPECT_EQ(first[i].match.covariance, second[i].match.covariance);
      EXPECT_EQ(first[i].match.correlation, second[i].match.correlation);
    }
  }
}

TEST(Odometry, ADarkScanDoesNotMoveThePoseInThePaperPreset) {
  const Drive drive = make_drive();
  const PolarScan dark = SyntheticWorld::empty_scan({});
  const auto registrations = run(make_config(Method::f_raw, Preset::paper, 127),
                                 {drive.scans[0], drive.scans[1], dark, drive.scans[1]});
  EXPECT_TRUE(registrations[1].match.reliable);
  for (const std::size_t i : {2u, 3u}) {
    EXPECT_FALSE(registrations[i].match.reliable);
    expect_near(registrations[i].T_world_curr, registrations[1].T_world_curr, 0, 0);
  }
}

TEST(Odometry, BridgesADarkScanAndRecoversAtTheNext) {
  const Drive drive = make_drive();
  std::vector<PolarScan> scans = drive.scans;
  scans[3].power.assign(scans[3].power.size(), 0);
  const auto registrations = run(make_config(Method::f_raw, Preset::standard, 255), scans);
  SE2 T_world_curr;
  for (std::size_t i = 0; i < scans.size(); ++i) {
    T_world_curr = T_world_curr * drive.increments[i];
    EXPECT_EQ(registrations[i].match.reliable, i != 3);
    EXPECT_EQ(registrations[i].bridged, i == 3);
    EXPECT_EQ(registrations[i].recovered, i == 4);
    expect_near(registrations[i].T_world_curr, T_world_curr, i == 3 ? 0.4 : 0.15,
                (i == 3 ? 3 : 0.3) * kDegree);
  }
  EXPECT_GT(registrations[3].match.covariance[0][0], 5 * registrations[2].match.covariance[0][0]);
}

TEST(Odometry, BeginsAnewAfterADarkFirstScan) {
  const Drive drive = make_drive();
  std::vector<PolarScan> scans = drive.scans;
  scans[0].power.assign(scans[0].power.size(), 0);
  const auto registrations = run(make_config(Method::f_raw, Preset::standard, 255), scans);
  for (std::size_t i = 1; i < scans.size(); ++i) {
    EXPECT_EQ(registrations[i].bridged, i <= 3) << i;  // three that match nothing start a new map
    if (i > 3) expect_near(registrations[i].T_prev_curr, drive.increments[i], 0.15, 0.3 * kDegree);
  }
}

TEST(Odometry, AScanThatCannotBeImagedIsAsIfItHadNotBeen) {
  const Drive drive = make_drive();
  for (const Preset preset : {Preset::paper, Preset::standard}) {
    const OdometryConfig config = make_config(Method::f_raw, preset, 127);
    Odometry straight(config), disturbed(config);
    for (std::size_t i = 0; i < 4; ++i) {
      const SE2 expected = straight.register_scan(drive.scans[i]).T_world_curr;
      EXPECT_THROW(disturbed.register_scan(PolarScan{}), Error);
      expect_near(disturbed.register_scan(drive.scans[i]).T_world_curr, expected, 0, 0);
    }
  }
}

TEST(Odometry, TakesScansOfAnotherGeometryOnTheWay) {
  const SyntheticWorld world = SyntheticWorld::make(60);
  const SE2 motion{2, 0.1, 0.05};
  const Twist2 velocity = mean_velocity(motion, SyntheticWorld::kTurnSeconds);
  const auto registrations =
      run(make_config(Method::f_raw, Preset::standard, 127),
          {world.scan({}, {}, velocity),
           world.scan(motion, {.azimuths = 360, .bins = 1000, .range_resolution = 0.08}, velocity)});
  expect_near(registrations[1].T_prev_curr, motion, 0.08, 0.2 * kDegree);  // a tenth of a pixel
}

}  // namespace
}  // namespace fmbym
