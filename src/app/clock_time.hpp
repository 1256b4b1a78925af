// Times for people: "4:05", "1:02:30".
#pragma once

#include <fmt/format.h>

#include <string>

namespace fmbym::app {

inline std::string clock_time(double seconds) {
  const auto s = static_cast<long>(seconds + 0.5);
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace fmbym::app
