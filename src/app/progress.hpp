// How far a long job is: a bar with rate and remaining time on a terminal, a line every tenth elsewhere. On
// stderr.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace fmbym::app {

class Progress {
 public:
  Progress(std::size_t total, std::string unit);
  ~Progress();  // clears the bar
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance();  // one unit done

 private:
  using Clock = std::chrono::steady_clock;
  void draw_bar(double elapsed_s);
  void print_line(double elapsed_s) const;

  std::size_t total_, done_ = 0, next_line_;
  std::string unit_;
  bool terminal_;
  Clock::time_point start_ = Clock::now(), last_drawn_{};
};

}  // namespace fmbym::app
