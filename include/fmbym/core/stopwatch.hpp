// Wall-clock time of a stage.
#pragma once

#include <chrono>

namespace fmbym {

class Stopwatch {
 public:
  // Milliseconds since construction or the last call of this function.
  double lap_ms() {
    const auto now = Clock::now();
    const double ms = std::chrono::duration<double, std::milli>(now - start_).count();
    start_ = now;
    return ms;
  }

  // Seconds since construction or the last lap.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace fmbym
