#include "masking/half.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace fmbym {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// NaNs keep their bits as well.
TEST(Half, EveryOneSurvivesTheWayThereAndBack) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    ASSERT_EQ(float_to_half(half_to_float(half)), half) << bits;
  }
}

TEST(Half, HasTheValuesOfTheStandard) {
  EXPECT_EQ(half_to_float(0x3c00), 1);
  EXPECT_EQ(half_to_float(0xc000), -2);
  EXPECT_EQ(half_to_float(0x7bff), 65504);
  EXPECT_EQ(half_to_float(0x0400), 0x1p-14f);  // the smallest normal one
  EXPECT_EQ(half_to_float(0x0001), 0x1p-24f);  // the smallest
  EXPECT_EQ(half_to_float(0x7c00), kInfinity);
  EXPECT_EQ(half_to_float(0xfc00), -kInfinity);
  EXPECT_TRUE(std::isnan(half_to_float(0x7e00)));
  EXPECT_TRUE(std::signbit(half_to_float(0x8000)));
}

// By magnitude, a half's bits order like the numbers they stand for, so that neighbours differ by one.
TEST(Half, RoundsToTheNearestAndTiesToEven) {
  for (std::uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const auto lower = static_cast<std::uint16_t>(bits), upper = static_cast<std::uint16_t>(bits + 1);
    const float low = half_to_float(lower), high = half_to_float(upper), middle = (low + high) / 2;
    ASSERT_EQ(float_to_half(middle), lower % 2 == 0 ? lower : upper) << middle;
    ASSERT_EQ(float_to_half(std::nextafter(middle, low)), lower) << middle;
    ASSERT_EQ(float_to_half(std::nextafter(middle, high)), upper) << middle;
    ASSERT_EQ(float_to_half(-middle), (lower % 2 == 0 ? lower : upper) | 0x8000) << middle;
  }
}

TEST(Half, TooLargeIsInfinite) {
  EXPECT_EQ(float_to_half(std::nextafter(65520.f, 0.f)), 0x7bff);
  EXPECT_EQ(float_to_half(65520), 0x7c00);
  EXPECT_EQ(float_to_half(-std::numeric_limits<float>::max()), 0xfc00);
  EXPECT_EQ(float_to_half(kInfinity), 0x7c00);
}

TEST(Half, TooSmallIsZeroWithItsSign) {
  EXPECT_EQ(float_to_half(0x1p-25f), 0);
  EXPECT_EQ(float_to_half(std::nextafter(0x1p-25f, 1.f)), 1);
  EXPECT_EQ(float_to_half(-std::numeric_limits<float>::denorm_min()), 0x8000);
}

// A NaN whose bits would all be cut off is not to become infinity.
TEST(Half, NanStaysNan) {
  for (const std::uint32_t bits : {0x7f800001u, 0xff801000u, 0x7fc00000u, 0xffffffffu})
    EXPECT_TRUE(std::isnan(half_to_float(float_to_half(std::bit_cast<float>(bits))))) << bits;
}

}  // namespace
}  // namespace fmbym
