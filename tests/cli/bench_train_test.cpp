// The training comparison: its shape, not its numbers, which are the machine's.
#include <gtest/gtest.h>

#include "cli/training_program.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

class BenchTrainCommand : public TrainingProgram {};

// Small, so that it takes seconds: libtorch itself and a few pairs of 65 by 65 pixels.
Outcome bench_small(const Arguments& more) {
  Arguments arguments = {"bench-train", "--resolution", "65", "--seconds", "0.01", "--methods", "f-mbym"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run(arguments);
}

void refuse(const Arguments& options, std::initializer_list<std::string_view> parts) {
  SCOPED_TRACE(::testing::PrintToString(options));
  Arguments arguments = {"bench-train"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  expect_failure(run(arguments), kFailed, parts);
}

TEST_F(BenchTrainCommand, HelpExplainsEveryOption) {
  const Outcome help = run({"bench-train", "--help"});
  expect_done(help);
  expect_contains(help.out, {"fmbym bench-train", "--methods", "--preset", "--resolution", "--memory",
                             "--seconds", "--picture", "--threads", "--json"});
}

TEST_F(BenchTrainCommand, DoublesTheBatchWithinTheBudget) {
  const TemporaryFolder folder;
  const auto picture = folder / "cost.png";
  const Outcome outcome = bench_small({"--memory", "500MB", "--picture", picture, "--json"});
  expect_done(outcome);
  const Json table = outcome.json();
  EXPECT_EQ(table["resolution"], 65);
  EXPECT_EQ(table["preset"], "paper");
  EXPECT_EQ(table["budget_mb"], 500);
  ASSERT_GE(table["rows"].size(), 1u);
  int batch = 1;
  for (const Json& row : table["rows"]) {
    EXPECT_EQ(row["method"], "f-mbym");
    EXPECT_EQ(row["batch"], batch);
    EXPECT_GE(row["steps"], 1);
    EXPECT_GT(row["step_ms"], 0);
    EXPECT_DOUBLE_EQ(row["pair_ms"], row["step_ms"].get<double>() / batch);
    EXPECT_GT(row["memory_mb"], row["program_mb"]);
    batch *= 2;
  }
  expect_contains(outcome.err, {"f-mbym", "batch of " + std::to_string(batch)});
  EXPECT_TRUE(read_file(picture).starts_with("\x89PNG"));
}

TEST_F(BenchTrainCommand, TooLittleForOnePairSaysSo) {
  const Outcome outcome = bench_small({"--memory", "20MB", "--json"});
  EXPECT_EQ(outcome.exit_code, kFailed);
  EXPECT_EQ(outcome.out, "");
  expect_contains(last_line(outcome.err), {"fmbym: --memory 20 MB", "not even one pair"});
}

// Had the sound row been measured first, its line would be on standard output.
TEST_F(BenchTrainCommand, AWrongRowCostsNoTime) {
  refuse({"--methods", "f-mbym,icp"}, {"icp", "f-mbym"});
  refuse({"--methods", "f-mbym,f-raw"}, {"f-raw", "no network", "mbym"});
  refuse({"--resolution", "128"}, {"128", "odd"});
  refuse({"--resolution", "63"}, {"63", "64"});
  refuse({"--preset", "best"}, {"best", "paper"});
  refuse({"--threads", "0"}, {"--threads", "1 to 256"});
  refuse({"--seconds", "0"}, {"--seconds", "above 0"});
}

TEST_F(BenchTrainCommand, AMemoryThatIsNoneIsRefused) {
  for (const char* memory : {"much", "0GB", "-1GB", "nanGB", "12XB", "12", "12GBs"})
    refuse({"--memory", memory}, {"--memory", memory, "such as 12GB"});
}

}  // namespace
}  // namespace fmbym::testing
