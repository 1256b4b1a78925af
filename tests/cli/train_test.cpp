// fmbym train: what it refuses, and that it says so before any work is done.
#include <gtest/gtest.h>

#include "cli/training_program.hpp"
#include "support/drive.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

namespace fs = std::filesystem;

class TrainCommand : public TrainingProgram {
 protected:
  // Sequences that are not there: what is refused must be refused before they are opened.
  Arguments arguments(const Arguments& more) const {
    Arguments all = {"train", "--train", "a", "--val", "b", "--output", output_};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Outcome train(const Arguments& more) { return run(arguments(more)); }
  void refuse(const Arguments& more, std::initializer_list<std::string_view> parts) {
    SCOPED_TRACE(::testing::PrintToString(more));
    expect_failure(train(more), kFailed, parts);
    EXPECT_FALSE(fs::exists(output_));
  }
  void pretend_a_run() {
    fs::create_directory(output_);
    write_file(output_ / "checkpoint.safetensors", "precious");
  }

  TemporaryFolder folder_;
  fs::path output_ = folder_ / "run";
};

TEST_F(TrainCommand, HelpExplainsEveryOption) {
  const Outcome help = run({"train", "--help"});
  expect_done(help);
  EXPECT_EQ(help.err, "");
  expect_contains(help.out, {"fmbym train",
                             "--train",
                             "--val",
                             "--poses",
                             "--output",
                             "--method",
                             "--preset",
                             "--resolution",
                             "--epochs",
                             "--batch",
                             "--lr",
                             "--anneal",
                             "--yaw-weight",
                             "--x-weight",
                             "--y-weight",
                             "--loss-limit",
                             "--likelihood",
                             "--augment",
                             "--pretrain",
                             "--pretrain-epochs",
                             "--init",
                             "--resume",
                             "--force",
                             "--seed",
                             "--minutes",
                             "--threads",
                             "--device",
                             "--licence",
                             "--json",
                             "--sensor",
                             "--range-resolution",
                             "--range-offset",
                             "--azimuth-offset"});
}

TEST_F(TrainCommand, NeedsDataAndAFolder) {
  expect_failure(run({"train"}), kWrongUsage, {"required", "see fmbym train --help"});
  expect_failure(run({"train", "--val", "b", "--output", output_}), kWrongUsage, {"--train"});
  expect_failure(run({"train", "--train", "a", "--output", output_}), kWrongUsage, {"--val"});
  expect_failure(run({"train", "--train", "a", "--val", "b"}), kWrongUsage, {"--output"});
}

TEST_F(TrainCommand, NamesTheChoices) {
  refuse({"--method", "icp"}, {"--method", "icp", "f-mbym"});
  refuse({"--method", "f-raw"}, {"--method", "f-raw", "masks", "f-mbym"});
  refuse({"--preset", "best"}, {"--preset", "best", "paper", "default"});
  refuse({"--poses", "dreamt"}, {"--poses", "dreamt", "ground-truth", "odometry"});
  refuse({"--pretrain", "luck"}, {"--pretrain", "luck", "consistency"});
  refuse({"--device", "abacus"}, {"--device", "abacus", "cpu", "cuda"});
}

// All of them are tested in tests/training/options_test.cpp.
TEST_F(TrainCommand, NumbersOutOfRangeSayTheRange) {
  refuse({"--epochs", "0"}, {"--epochs 0", "1 to"});
  refuse({"--pretrain", "consistency", "--pretrain-epochs", "0"}, {"--pretrain-epochs 0", "1 or more"});
}

TEST_F(TrainCommand, WhatTheParserRefusesPointsToTheHelp) {
  for (const Arguments& more : {Arguments{"--fly"},
                                {"--epochs", "many"},
                                {"--lr", "fast"},
                                {"--seed", "-1"},
                                {"--pretrain-epochs", "3"}})
    expect_failure(train(more), kWrongUsage, {more[0], "see fmbym train --help"});
}

TEST_F(TrainCommand, AFolderThatHoldsARunIsLeftAlone) {
  pretend_a_run();
  expect_failure(train({}), kFailed, {output_.c_str(), "holds", "--resume", "--force"});
  expect_failure(train({"--resume", "--force"}), kFailed, {"--resume", "--force", "leave one"});
  EXPECT_EQ(read_file(output_ / "checkpoint.safetensors"), "precious");
}

// The sequences are not there: there is nothing to begin anew with.
TEST_F(TrainCommand, ForceDeletesNothingBeforeAllIsRead) {
  pretend_a_run();
  expect_failure(train({"--force"}), kFailed, {"a"});
  EXPECT_EQ(read_file(output_ / "checkpoint.safetensors"), "precious");
}

TEST_F(TrainCommand, ResumeNeedsARun) {
  refuse({"--resume"}, {"--resume", output_.c_str(), "found none"});
  fs::create_directory(output_);
  expect_failure(train({"--resume"}), kFailed, {"--resume", output_.c_str(), "found none"});
}

TEST_F(TrainCommand, AFolderThatCannotBeWritten) {
  const fs::path file = folder_ / "file";
  write_file(file, "precious");
  for (const fs::path& output : {file, file / "below", fs::path("/proc/fmbym")}) {
    output_ = output;
    expect_failure(train({}), kFailed, {"--output", output.c_str(), "cannot write there"});
  }
  EXPECT_EQ(read_file(file), "precious");
}

TEST_F(TrainCommand, ASequenceThatIsNotThere) {
  expect_failure(train({}), kFailed, {"a"});
  expect_no_files(output_);
}

}  // namespace
}  // namespace fmbym::testing
