// One turn of a spinning radar as it was measured: power over azimuth and range, and when and where each
// azimuth was taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fmbym {

struct PolarScan {
  std::int64_t timestamp_us = 0;  // the scan's name in its data set: start of the turn for Oxford [µs]
  int bins = 0;                   // range bins an azimuth
  double range_resolution = 0;    // [m] a bin
  double range_offset = 0;        // added to every measured range [m]

  std::vector<std::uint8_t> power;            // (azimuth, range), logarithmic, as the sensor gives it
  std::vector<double> azimuth;                // clockwise from straight ahead [rad], in order of time
  std::vector<std::int64_t> azimuth_time_us;  // [µs]
  std::vector<std::uint8_t> valid;            // 0 where the row was invalid and filled from its neighbours

  int azimuths() const { return static_cast<int>(azimuth.size()); }
  const std::uint8_t* row(int a) const { return power.data() + static_cast<std::ptrdiff_t>(a) * bins; }
  std::uint8_t* row(int a) { return power.data() + static_cast<std::ptrdiff_t>(a) * bins; }
  // Range of the middle of a bin [m].
  double range(double bin) const { return (bin + 0.5) * range_resolution + range_offset; }
};

}  // namespace fmbym
