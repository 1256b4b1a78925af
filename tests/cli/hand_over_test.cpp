// Commands that another program does: as if it were one.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "cli/training_program.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

namespace fs = std::filesystem;

// A copy of the program, alone in a folder, and what the test puts beside it.
class HandOver : public ::testing::Test {
 protected:
  HandOver() { fs::copy_file(FMBYM_PROGRAM, program_); }

  void put_beside(const std::string& script) {
    const fs::path other = folder_ / "fmbym-train";
    write_file(other, "#!/bin/sh\n" + script);
    fs::permissions(other, fs::perms::owner_all);
  }
  Outcome run_copy(const Arguments& arguments) { return run(arguments, {.program = program_}); }

  TemporaryFolder folder_;
  fs::path program_ = folder_ / "fmbym";
};

TEST_F(HandOver, WithoutTheOtherProgramSaysHowToGetIt) {
  for (const char* command : {"train", "bench-train"})
    for (const Arguments& arguments : {Arguments{command}, Arguments{command, "--help"}})
      expect_failure(run_copy(arguments), kFailed,
                     {command, (folder_ / "fmbym-train").c_str(), "found none", "./fmbym", "libtorch-dev"});
}

TEST_F(HandOver, AProgramThatCannotBeStartedSaysWhy) {
  put_beside("exit 0\n");
  fs::permissions(folder_ / "fmbym-train", fs::perms::owner_read);
  expect_failure(run_copy({"train"}), kFailed, {"fmbym-train", "cannot start", "Permission denied"});
}

TEST_F(HandOver, PassesArgumentsOnAsTheyAre) {
  put_beside("printf '%s|' \"$@\"\n");
  const Outcome outcome = run_copy({"train", "--help", "", "a b", "--", "bench", "--version"});
  expect_done(outcome);
  EXPECT_EQ(outcome.out, "train|--help||a b|--|bench|--version|");
}

TEST_F(HandOver, ReturnsTheExitCode) {
  put_beside("echo \"$1\" >&2; exit 42\n");
  const Outcome outcome = run_copy({"bench-train"});
  EXPECT_EQ(outcome.exit_code, 42);
  EXPECT_EQ(outcome.err, "bench-train\n");
}

TEST_F(HandOver, SignalsReachTheOtherProgram) {
  put_beside("trap 'exit 7' TERM\ntouch \"$0.started\"\nwhile :; do sleep 0.05; done\n");
  const auto stop = [&](pid_t child) {
    for (int i = 0; i < 600 && !fs::exists(folder_ / "fmbym-train.started"); ++i) ::usleep(50'000);
    ::kill(child, SIGTERM);
  };
  EXPECT_EQ(run({"train"}, {.program = program_, .meanwhile = stop}).exit_code, 7);
}

TEST_F(HandOver, IsOnlyForTheFirstWord) {
  put_beside("exit 42\n");
  expect_failure(run_copy({"info", "train"}), kFailed, {"train"});
  EXPECT_EQ(run_copy({"--help"}).exit_code, kDone);
}

}  // namespace
}  // namespace fmbym::testing
