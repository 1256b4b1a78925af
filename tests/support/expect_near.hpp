// Poses that should be the same but for a tolerance.
#pragma once

#include <gtest/gtest.h>

#include "fmbym/core/se2.hpp"

namespace fmbym::testing {

inline void expect_near(const SE2& found, const SE2& expected, double metres, double radians) {
  EXPECT_NEAR(found.x, expected.x, metres);
  EXPECT_NEAR(found.y, expected.y, metres);
  EXPECT_NEAR(wrap_angle(found.yaw - expected.yaw), 0, radians);
}

}  // namespace fmbym::testing
