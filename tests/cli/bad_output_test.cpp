// Places that can't be written to: an error, never half a file under its final name.
#include <gtest/gtest.h>

#include "cli/results.hpp"
#include "support/oxford_writer.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

namespace fs = std::filesystem;

class BadOutput : public ::testing::Test {
 protected:
  Outcome odometry(const fs::path& output, const Surroundings& surroundings = {}) {
    return run({"odometry", sequence_.folder(), "--output", output, "--resolution", "127", "--json"},
               surroundings);
  }
  Arguments match() const { return {"match", scan(0), scan(1), "--resolution", "127", "--json"}; }
  fs::path scan(int i) const { return sequence_.file(kScanStart_us + i * kScanPeriod_us); }

  TemporaryFolder folder_;
  OxfordSequence sequence_ = write_oxford_sequence(folder_ / "sequence", 12);
};

TEST_F(BadOutput, AFileInThePlaceOfTheFolder) {
  const fs::path file = folder_ / "file";
  write_file(file, "precious");
  for (const fs::path& output : {file, file / "below"})
    expect_failure(odometry(output), kFailed, {output.c_str(), "cannot write there", "--output"});
  EXPECT_EQ(read_file(file), "precious");
}

TEST_F(BadOutput, AFolderThatTakesNoFiles) {
  expect_failure(odometry("/proc/fmbym"), kFailed, {"/proc/fmbym", "cannot write there", "--output"});
}

// The trajectories are about 1 kB, increments.csv is the largest file.
TEST_F(BadOutput, AFullDiskLeavesNoFileCutOff) {
  const fs::path whole = folder_ / "whole", cut = folder_ / "cut";
  expect_done(odometry(whole));
  for (const std::size_t space : {0u, 100u, 1000u, 2000u}) {
    SCOPED_TRACE(space);
    const Outcome outcome = odometry(cut, {.largest_file = space});
    EXPECT_EQ(outcome.exit_code, kFailed);
    EXPECT_EQ(outcome.out, "");
    expect_contains(last_line(outcome.err), {"fmbym: " + cut.string(), "cannot write", "; "});
    for (const auto& entry : fs::directory_iterator(cut)) {
      const std::string name = entry.path().filename();
      ASSERT_TRUE(fs::exists(whole / name)) << name << " is none of the results";
      EXPECT_NE(name, "increments.csv");
      EXPECT_EQ(read_file(entry.path()), read_file(whole / name));
    }
  }
}

TEST_F(BadOutput, AFullDiskLeavesTheFormerFiles) {
  const fs::path output = folder_ / "out";
  expect_done(odometry(output));
  std::map<std::string, std::string> before;
  for (const char* name : kResultFiles) before[name] = read_file(output / name);
  EXPECT_EQ(odometry(output, {.largest_file = 0}).exit_code, kFailed);
  for (const char* name : kResultFiles) EXPECT_EQ(read_file(output / name), before[name]) << name;
}

TEST_F(BadOutput, APictureThatCannotBeWritten) {
  const fs::path picture = folder_ / "no/such/folder.png";
  Arguments arguments = match();
  arguments.insert(arguments.end(), {"--picture", picture});
  expect_failure(run(arguments), kFailed, {picture.c_str(), "cannot write", "check the path"});
}

TEST_F(BadOutput, APictureOnAFullDisk) {
  const fs::path picture = folder_ / "pictures/match.png";
  fs::create_directory(picture.parent_path());
  Arguments arguments = match();
  arguments.insert(arguments.end(), {"--picture", picture});
  expect_failure(run(arguments, {.largest_file = 1000}), kFailed, {picture.c_str(), "cannot write"});
  expect_no_files(picture.parent_path());
}

TEST_F(BadOutput, StandardOutputThatIsFullOrClosed) {
  const Arguments info = {"info", sequence_.folder(), "--json"};
  const Arguments bench = {"bench", "--seconds",     "0.01", "--methods",
                           "f-raw", "--resolutions", "63",   "--json"};
  for (const Arguments& arguments : {match(), info, bench}) {
    SCOPED_TRACE(arguments[0]);
    expect_failure(run(arguments, {.standard_output = "/dev/full"}), kFailed,
                   {"standard output", "cannot write"});
    expect_failure(run(arguments, {.output_closed = true}), kFailed, {"standard output", "cannot write"});
  }
}

TEST_F(BadOutput, ResultsAreOnDiskThoughStandardOutputIsFull) {
  const Outcome outcome = odometry(folder_ / "out", {.standard_output = "/dev/full"});
  EXPECT_EQ(outcome.exit_code, kFailed);
  expect_contains(last_line(outcome.err), {"fmbym: standard output: cannot write"});
  EXPECT_EQ(Results(folder_ / "out").summary["scans"], 12);
}

TEST_F(BadOutput, HelpThatNobodyCanRead) {
  for (const char* option : {"--help", "--version"})
    expect_failure(run({option}, {.standard_output = "/dev/full"}), kFailed, {"standard output"});
}

// As under a service manager that gives a program no standard error.
TEST_F(BadOutput, StandardErrorThatIsFullOrClosedChangesNothing) {
  for (const Surroundings& silent :
       {Surroundings{.standard_error = "/dev/full"}, Surroundings{.error_closed = true}}) {
    const Outcome outcome = odometry(folder_ / "out", silent);
    expect_done(outcome);
    EXPECT_EQ(outcome.json()["scans"], 12);
    EXPECT_EQ(run({"odometry", folder_ / "nowhere"}, silent).exit_code, kFailed);
  }
}

}  // namespace
}  // namespace fmbym::testing
