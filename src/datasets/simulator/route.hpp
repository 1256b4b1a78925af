// Where the sensor is at any time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "fmbym/core/se2.hpp"
#include "fmbym/datasets/simulator.hpp"

namespace fmbym::simulator {

// A smooth motion through poses at given times; constant velocity before the first and after the last.
class Route {
 public:
  // Times in seconds, increasing; at least two.
  Route(std::vector<double> times, std::vector<SE2> poses);

  SE2 at(double time) const;
  double start() const { return times_.front(); }
  double end() const { return times_.back(); }

 private:
  std::vector<double> times_;
  std::vector<SE2> poses_;
  std::vector<Twist2> velocities_;  // at each pose [m/s, m/s, rad/s]
};

// A route, and the turns of the radar made on it.
struct Drive {
  Route route;                           // times count from the first scan's timestamp [s]
  std::vector<std::int64_t> timestamps;  // start of each turn [µs]
  std::vector<double> turn_times;        // [s]
  std::vector<SE2> poses;                // in the middle of each turn, in the frame of the first

  double start(std::size_t scan) const {
    return static_cast<double>(timestamps[scan] - timestamps[0]) * 1e-6;
  }
};

// Streets with bends, turns and stops, at the speeds of the style.
Drive make_drive(const SimulatorConfig& config);
// The motion of an Oxford csv, to the letter; throws Error where no vehicle could have made it.
Drive read_drive(const std::filesystem::path& csv, int scans);

}  // namespace fmbym::simulator
