// The commands that fmbym hands over to fmbym-train, which is built only where libtorch is installed.
#pragma once

#include <gtest/gtest.h>

#include "cli/expectations.hpp"
#include "cli/program.hpp"

namespace fmbym::testing {

class TrainingProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!FMBYM_HAS_TRAINING) GTEST_SKIP() << "training is not built: libtorch is not installed";
  }
};

}  // namespace fmbym::testing
