// A program of somebody else's: odometry from scans in memory, with the installed headers and libraries only.
#include <fmbym/odometry/odometry.hpp>
#include <fmbym/report/match_picture.hpp>

#include <cmath>
#include <cstdint>
#include <numbers>

namespace {

// A bright ring sector that turns with the vehicle's heading.
fmbym::PolarScan scan_with_heading(int step) {
  constexpr int azimuths = 360, bins = 400;
  fmbym::PolarScan scan;
  scan.bins = bins;
  scan.range_resolution = 0.2;
  scan.power.assign(std::size_t(azimuths) * bins, 0);
  for (int a = 0; a < azimuths; ++a) {
    scan.azimuth.push_back(a * std::numbers::pi / 180);
    scan.azimuth_time_us.push_back(a * 700);
    scan.valid.push_back(1);
    const int world_bearing = (a + step) % azimuths;
    for (int bin = 60; bin < 240; ++bin)
      if (world_bearing * bin % 97 < 9) scan.row(a)[bin] = static_cast<std::uint8_t>(100 + world_bearing % 100);
  }
  return scan;
}

}  // namespace

int main() {
  fmbym::Odometry odometry(fmbym::make_config(fmbym::Method::f_raw, fmbym::Preset::standard, 127));
  odometry.register_scan(scan_with_heading(0));
  const auto registration = odometry.register_scan(scan_with_heading(2));
  const double yaw_error = registration.T_prev_curr.yaw - 2 * std::numbers::pi / 180;
  return registration.match.reliable && std::abs(yaw_error) < 0.005 ? 0 : 1;
}
