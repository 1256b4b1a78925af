// Colours of the pictures. Orange and azure add up to white and stay apart for colour-blind eyes.
#pragma once

namespace fmbym::report {

struct Colour {
  double red = 0, green = 0, blue = 0;  // from 0 to 1
  double opacity = 1;
};

constexpr Colour with_opacity(Colour colour, double opacity) {
  colour.opacity = opacity;
  return colour;
}

inline constexpr Colour kWhite{1, 1, 1};
inline constexpr Colour kBlack{0, 0, 0};
inline constexpr Colour kInk{0.13, 0.15, 0.18};
inline constexpr Colour kFaintInk{0.42, 0.45, 0.5};
inline constexpr Colour kGrid{0.9, 0.91, 0.92};
inline constexpr Colour kAlarm{0.82, 0.07, 0.1};
inline constexpr Colour kOrange{1, 0.5, 0};
inline constexpr Colour kAzure{0, 0.5, 1};

}  // namespace fmbym::report
