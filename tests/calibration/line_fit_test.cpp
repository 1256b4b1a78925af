#include "fmbym/calibration/line_fit.hpp"

#include <gtest/gtest.h>

namespace fmbym {
namespace {

// 3 - 0.5 x, with errors that grow from 0.01 to 0.03.
const std::vector<Measured> kFalling = {{-1, {3.5, 0.01}}, {0, {3, 0.02}}, {1, {2.5, 0.03}}};

TEST(LineFit, GoesThroughValuesAndErrors) {
  for (const double at : {-1.0, 0.0, 0.5, 2.0}) {
    EXPECT_NEAR(line_at(kFalling, at).value, 3 - 0.5 * at, 1e-12);
    EXPECT_NEAR(line_at(kFalling, at).standard_error, 0.02 + 0.01 * at, 1e-12);
  }
}

TEST(LineFit, IsTheOneOfLeastSquares) {
  const std::vector<Measured> bent = {{0, {0, 0}}, {1, {2, 0}}, {2, {1, 0}}};
  EXPECT_NEAR(line_at(bent, 1).value, 1, 1e-12);
  EXPECT_NEAR(line_at(bent, 2).value, 1.5, 1e-12);
}

TEST(LineFit, ReachesALevelWithTheErrorOverTheSlope) {
  const auto found = setting_where(kFalling, 2.75);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, 0.5, 1e-12);
  EXPECT_NEAR(found->standard_error, 0.025 / 0.5, 1e-12);
}

TEST(LineFit, ReachesNothingBeyondTheSettings) {
  EXPECT_FALSE(setting_where(kFalling, 2.4));
  EXPECT_FALSE(setting_where(kFalling, 3.6));
}

TEST(LineFit, ReachesNothingWhereItHardlySlopes) {
  const std::vector<Measured> flat = {{-1, {1, 0.1}}, {0, {1, 0.1}}, {1, {1, 0.1}}};
  EXPECT_FALSE(setting_where(flat, 1));
  const std::vector<Measured> vague = {{-1, {1.1, 0.1}}, {0, {1, 0.1}}, {1, {0.9, 0.1}}};
  EXPECT_FALSE(setting_where(vague, 1));
}

}  // namespace
}  // namespace fmbym
