// fmbym demo, as a newcomer runs it; with weights made for the purpose, and a short drive.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "cli/results.hpp"
#include "masking/models.hpp"
#include "support/report_page.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

namespace fs = std::filesystem;

class Demo : public ::testing::Test {
 protected:
  Demo() {
    fs::create_directories(models_);
    for (const std::string preset : {"default", "paper"})
      write_model(models_ / ("f-mbym-127-" + preset + "-simulated.safetensors"), random_model(1, 127));
  }
  Outcome demo(const Arguments& more, Surroundings surroundings = {}) const {
    Arguments arguments = {"demo", "--output", output_, "--resolution", "127"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    surroundings.environment["FMBYM_MODELS"] = models_.string();
    return run(arguments, surroundings);
  }

  TemporaryFolder folder_;
  fs::path models_ = folder_ / "models", output_ = folder_ / "out";
};

TEST_F(Demo, ShowsBothMethodsOnOneDrive) {
  const Outcome outcome = demo({"--scans", "12"});
  expect_done(outcome);
  expect_contains(outcome.out, {"12 scans", "f-raw", "f-mbym", (output_ / "report.html").string()});
  for (const std::string method : {"f-raw", "f-mbym"}) {
    const Results found(output_ / method);
    EXPECT_EQ(found.summary["method"], method);
    EXPECT_EQ(found.summary["scans"], 12);
    EXPECT_LT(found.summary["ate_m"], 0.5);
  }
  const Json page = data_of(read_file(output_ / "report.html"));
  EXPECT_EQ(page["runs"].size(), 2u);
  EXPECT_FALSE(page["truth"].is_null());
}

TEST_F(Demo, PrintsOneObjectForPrograms) {
  const fs::path page = folder_ / "elsewhere.html";
  const Outcome outcome = demo(
      {"--scans", "5", "--style", "park", "--seed", "3", "--preset", "paper", "--json", "--report", page});
  expect_done(outcome);
  const Json json = outcome.json();
  EXPECT_EQ(json["style"], "park");
  EXPECT_EQ(json["seed"], 3);
  EXPECT_EQ(json["runs"].size(), 2u);
  EXPECT_EQ(json["runs"][1]["preset"], "paper");
  EXPECT_EQ(json["report"], page.string());
  EXPECT_TRUE(fs::exists(page));
  EXPECT_FALSE(fs::exists(output_ / "report.html"));
}

// Before the drive is simulated.
TEST_F(Demo, RefusesWhatCannotWork) {
  expect_failure(demo({"--style", "lunar"}), kFailed, {"lunar", "urban"});
  expect_failure(demo({"--scans", "1"}), kFailed, {"--scans"});
  expect_failure(demo({"--scans", "10001"}), kFailed, {"--scans 10001", "fmbym simulate"});
  expect_failure(demo({"--report", folder_.path()}), kFailed, {"--report", "folder"});
  fs::remove(models_ / "f-mbym-127-paper-simulated.safetensors");
  expect_failure(demo({"--preset", "paper"}), kFailed, {"f-mbym-127-paper-simulated.safetensors", "--model"});
  EXPECT_FALSE(fs::exists(output_ / "f-raw"));
}

TEST_F(Demo, InterruptedLeavesNothing) {
  const auto interrupt = [this](pid_t program) {
    while (!fs::exists(output_)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ::kill(program, SIGINT);
  };
  const Outcome outcome = demo({"--scans", "5000"}, {.meanwhile = interrupt});
  EXPECT_EQ(outcome.exit_code, kInterrupted);
  expect_contains(last_line(outcome.err), {"interrupted", "nothing was written"});
  expect_no_files(output_);
}

}  // namespace
}  // namespace fmbym::testing
