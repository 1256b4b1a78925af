#include "app/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "app/clock_time.hpp"
#include "app/note.hpp"

namespace fmbym::app {
namespace {

constexpr int kBarWidth = 30;
constexpr auto kRedrawAfter = std::chrono::milliseconds(100);

std::size_t tenth(std::size_t total) {
  return std::max<std::size_t>(1, total / 10);
}

}  // namespace

Progress::Progress(std::size_t total, std::string unit)
    : total_(total),
      next_line_(tenth(total)),
      unit_(std::move(unit)),
      terminal_(::isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (terminal_ && done_ > 0) note("\r\033[K");
}

void Progress::advance() {
  ++done_;
  const auto now = Clock::now();
  const double elapsed_s = std::chrono::duration<double>(now - start_).count();
  if (terminal_ && (now - last_drawn_ >= kRedrawAfter || done_ == total_)) {
    last_drawn_ = now;
    draw_bar(elapsed_s);
  } else if (!terminal_ && done_ >= next_line_) {
    next_line_ += tenth(total_);
    print_line(elapsed_s);
  }
}

void Progress::draw_bar(double elapsed_s) {
  const auto filled = static_cast<int>(kBarWidth * done_ / total_);
  const double rate = static_cast<double>(done_) / elapsed_s;
  note("\r\033[K[{:#<{}}{:.<{}}] {}/{} {}  {:.0f}/s  {} left", "", filled, "", kBarWidth - filled, done_,
       total_, unit_, rate, clock_time(static_cast<double>(total_ - done_) / rate));
  std::fflush(stderr);
}

void Progress::print_line(double elapsed_s) const {
  note("{}/{} {}, {:.0f}/s\n", done_, total_, unit_, static_cast<double>(done_) / elapsed_s);
}

}  // namespace fmbym::app
