// The shape of the network (Table II): levels of half the size and twice the channels of the one above. Going
// down, the encoder works on each with two convolutions; going up, the decoder with two more.
#pragma once

#include <array>

namespace fmbym {

inline constexpr int kLevels = 6;  // the last has no decoder
inline constexpr std::array<int, kLevels> kChannels = {8, 16, 32, 64, 128, 256};

constexpr int channels(int level) {
  return kChannels[static_cast<std::size_t>(level)];
}

// The first of the two convolutions of a level, as an index of convolutions().
constexpr int encoder(int level) {
  return 2 * level;
}
constexpr int decoder(int level) {
  return 2 * (2 * kLevels - 2 - level);
}
inline constexpr int kLastConvolution = 4 * kLevels - 2;

}  // namespace fmbym
