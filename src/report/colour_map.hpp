// Viridis (van der Walt and Smith, CC0): equal steps of the value look like equal steps of brightness.
#pragma once

#include <algorithm>
#include <array>

#include "report/colour.hpp"

namespace fmbym::report {

// For a value from 0 to 1; what lies outside takes the colour of the nearer end.
inline Colour viridis(double value) {
  constexpr std::array<unsigned, 11> anchors = {0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c,
                                                0x22a884, 0x44bf70, 0x7ad151, 0xbddf26, 0xfde725};
  const double place = std::clamp(value, 0.0, 1.0) * (anchors.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), anchors.size() - 2);
  const double fraction = place - static_cast<double>(below);
  const auto channel = [&](int shift) {
    const double a = (anchors[below] >> shift) & 0xff, b = (anchors[below + 1] >> shift) & 0xff;
    return (a + fraction * (b - a)) / 255;
  };
  return {channel(16), channel(8), channel(0)};
}

}  // namespace fmbym::report
