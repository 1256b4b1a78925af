// The timing table: its shape, not its numbers, which are the machine's.
#include <gtest/gtest.h>

#include <array>

#include "cli/expectations.hpp"

namespace fmbym::testing {
namespace {

Outcome bench(const Arguments& more) {
  Arguments arguments = {"bench", "--seconds", "0.05"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run(arguments);
}

TEST(BenchCommand, JsonHasARowForEveryMethodAndResolution) {
  const Outcome outcome = bench({"--methods", "f-raw,raw", "--resolutions", "63,127", "--json"});
  expect_done(outcome);
  const Json table = outcome.json();
  EXPECT_EQ(table["threads"], 1);
  EXPECT_EQ(table["preset"], "default");
  ASSERT_EQ(table["rows"].size(), 4u);
  std::vector<std::pair<std::string, int>> rows;
  for (const Json& row : table["rows"]) {
    rows.emplace_back(row["method"], row["resolution"]);
    EXPECT_EQ(row["precision"], "fp32");
    EXPECT_GE(row["passes"], 1);
    EXPECT_LE(row["passes"], 2000);
    EXPECT_GT(row["hz"], 0);
    EXPECT_GT(row["ms_median"], 0);
    EXPECT_GE(row["ms_p95"], row["ms_median"]);
  }
  EXPECT_EQ(rows, (std::vector<std::pair<std::string, int>>{
                      {"f-raw", 63}, {"f-raw", 127}, {"raw", 63}, {"raw", 127}}));
}

// Without any setting of oneDNN's: in 8 bits it must not use what the system does not allow.
TEST(BenchCommand, MasksComeInBothPrecisionsBesideTheirFloor) {
  const Outcome outcome = bench({"--methods", "mask,f-mbym,mbym", "--resolutions", "127", "--json"});
  expect_done(outcome);
  const Json rows = outcome.json()["rows"];
  ASSERT_EQ(rows.size(), 6u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i]["method"], (std::array{"mask", "f-mbym", "mbym"}[i / 2]));
    EXPECT_EQ(rows[i]["precision"], i % 2 ? "int8" : "fp32");
    EXPECT_GT(rows[i]["ms_median"], 0);
    EXPECT_EQ(rows[i].contains("conv_floor_ms"), i < 2);
  }
  EXPECT_GT(rows[0]["conv_floor_ms"], 0);
  EXPECT_GT(rows[1]["conv_floor_ms"], 0);
}

TEST(BenchCommand, OnePrecisionWillDo) {
  const Outcome outcome =
      bench({"--methods", "mask,f-raw", "--resolutions", "127", "--precision", "int8", "--json"});
  expect_done(outcome);
  const Json rows = outcome.json()["rows"];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["precision"], "int8");
  EXPECT_EQ(rows[1]["precision"], "fp32");  // there is no network in it
}

TEST(BenchCommand, TextHasTheSameRows) {
  const Outcome outcome = bench({"--methods", "f-raw", "--resolutions", "63,127", "--preset", "paper"});
  expect_done(outcome);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 3) << outcome.out;
  expect_contains(outcome.out, {"method", "Hz", "median ms", "p95 ms", "passes", "f-raw", " 63 ", " 127 "});
}

TEST(BenchCommand, ThreadsAreTaken) {
  const Outcome outcome = bench({"--methods", "raw", "--resolutions", "63", "--threads", "2", "--json"});
  expect_done(outcome);
  EXPECT_EQ(outcome.json()["threads"], 2);
}

// Had the sound row been timed first, its line would be on standard output.
TEST(BenchCommand, AWrongRowCostsNoTime) {
  expect_failure(bench({"--methods", "f-raw,icp"}), kFailed, {"icp", "raw", "f-raw"});
  expect_failure(bench({"--resolutions", "127,128"}), kFailed, {"128", "odd"});
  expect_failure(bench({"--methods", "f-raw,mask", "--resolutions", "63"}), kFailed, {"63", "64", "mask"});
  expect_failure(bench({"--precision", "fp32,bf16"}), kFailed, {"bf16", "fp32", "int8"});
  expect_failure(bench({"--threads", "0"}), kFailed, {"--threads", "1 to 256"});
}

TEST(BenchCommand, NeedsTime) {
  for (const char* seconds : {"0", "-1", "nan"})
    expect_failure(run({"bench", "--seconds", seconds}), kFailed, {"--seconds", "above 0"});
}

}  // namespace
}  // namespace fmbym::testing
