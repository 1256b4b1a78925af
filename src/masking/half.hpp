// Numbers of 16 bits: one for the sign, five for the exponent, ten for the fraction (IEEE 754 binary16).
#pragma once

#include <cstdint>

namespace fmbym {

float half_to_float(std::uint16_t half);  // exact

// To the nearest, ties to even; from 65520 on, infinite. A NaN stays one.
std::uint16_t float_to_half(float value);

}  // namespace fmbym
