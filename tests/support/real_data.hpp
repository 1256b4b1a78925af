// The real scans beside the project. A test that needs them begins with FMBYM_NEEDS_REAL_DATA("oxford-tiny").
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

namespace fmbym::testing {

inline std::filesystem::path real_data(const std::filesystem::path& name) {
  return std::filesystem::path(FMBYM_TEST_DATA) / name;
}

}  // namespace fmbym::testing

#define FMBYM_NEEDS_REAL_DATA(name)                              \
  if (!std::filesystem::exists(fmbym::testing::real_data(name))) \
  GTEST_SKIP() << "needs " << fmbym::testing::real_data(name).string()
