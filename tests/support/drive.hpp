// A drive round a circle in a synthetic world, on disk in the Oxford layout: every scan sees the same things,
// distorted by the motion.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "support/oxford_writer.hpp"
#include "support/synthetic_world.hpp"

namespace fmbym::testing {

struct Drive {
  int scans = 12;
  double step = 1;  // [m] from scan to scan
  int azimuths = 400;

  // Of the reduced Oxford scans, with the calibration that is taken for granted for them.
  static constexpr int kBins = 432;
  static constexpr double kRangeResolution = 4 * 0.0438;  // [m]
  static constexpr double kAzimuthOffset = 0.0103;        // [rad]
  static constexpr double kRadius = 20;                   // of the circle [m]

  SE2 T_prev_curr() const { return SE2::exp({step, 0, step / kRadius}); }
  SE2 T_first(int scan) const { return SE2::exp({scan * step, 0, scan * step / kRadius}); }
  Twist2 velocity() const {  // [m/s, m/s, rad/s]
    return {step / SyntheticWorld::kTurnSeconds, 0, step / kRadius / SyntheticWorld::kTurnSeconds};
  }
  double distance() const { return (scans - 1) * step; }
  std::vector<std::int64_t> times_us() const {
    std::vector<std::int64_t> times;
    for (int i = 0; i < scans; ++i) times.push_back(time_us(i));
    return times;
  }
  static std::int64_t time_us(int scan) { return kScanStart_us + scan * kScanPeriod_us; }
};

// What the radar measures at a scan of the drive.
inline OxfordScan scan_of(const Drive& drive, int index) {
  static const SyntheticWorld world = SyntheticWorld::make();
  const SE2 T_world_first = {0, -Drive::kRadius, 0};
  ScanGeometry geometry{drive.azimuths, Drive::kBins, Drive::kRangeResolution};
  geometry.first_azimuth = Drive::kAzimuthOffset;
  OxfordScan scan = to_oxford(world.scan(T_world_first * drive.T_first(index), geometry, drive.velocity()),
                              Drive::kAzimuthOffset);
  for (std::int64_t& time : scan.time_us) time += Drive::time_us(index);
  return scan;
}

inline OxfordSequence write_drive(const std::filesystem::path& folder, const Drive& drive = {}) {
  const OxfordSequence sequence(folder);
  std::vector<OxfordIncrement> truth;
  for (int i = 0; i < drive.scans; ++i) {
    sequence.write_scan(Drive::time_us(i), scan_of(drive, i));
    if (i > 0) truth.push_back({Drive::time_us(i - 1), Drive::time_us(i), drive.T_prev_curr()});
  }
  sequence.write_timestamps(drive.times_us());
  sequence.write_ground_truth(truth);
  return sequence;
}

}  // namespace fmbym::testing
