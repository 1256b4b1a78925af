// Where a run may begin, and what is deleted for it.
#include "training/run_folder.hpp"

#include <gtest/gtest.h>

#include "fmbym/core/file.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::training {
namespace {

namespace fs = std::filesystem;

class Folder : public ::testing::Test {
 protected:
  Folder() { options_.output = folder_ / "runs/first"; }

  void make_run() {
    const RunFolder run = open_run_folder(options_);
    for (const fs::path& file : {run.checkpoint(), run.log(), run.config(), run.curves(), run.last_model(),
                                 run.model(options_), run.folder / "notes.txt"})
      write_file(file, "precious");
  }
  void refuse(std::initializer_list<std::string> parts) {
    const std::string message = testing::error_of([&] { open_run_folder(options_); });
    for (const std::string& part : parts) EXPECT_NE(message.find(part), std::string::npos) << message;
  }

  testing::TemporaryFolder folder_;
  TrainingOptions options_;
};

TEST_F(Folder, IsCreatedWithTheOnesAboveIt) {
  const RunFolder run = open_run_folder(options_);
  EXPECT_TRUE(fs::is_directory(options_.output));
  EXPECT_FALSE(run.holds_run());
  EXPECT_NO_THROW(open_run_folder(options_));
}

TEST_F(Folder, WithARunIsOpenedOnPurposeOnly) {
  make_run();
  refuse({options_.output.string(), "--resume", "--force"});
  options_.force = true;
  EXPECT_TRUE(open_run_folder(options_).holds_run());
  options_.force = false;
  options_.resume = true;
  EXPECT_TRUE(open_run_folder(options_).holds_run());
}

TEST_F(Folder, WithoutARunCannotBeResumed) {
  options_.resume = true;
  refuse({"--resume", "found none"});
  EXPECT_FALSE(fs::exists(options_.output));
}

TEST_F(Folder, ClearingTakesTheRunAndNothingElse) {
  make_run();
  clear(RunFolder{options_.output}, options_);
  EXPECT_EQ(read_file(options_.output / "notes.txt"), "precious");
  EXPECT_EQ(std::distance(fs::directory_iterator(options_.output), {}), 1);
  EXPECT_NO_THROW(clear(RunFolder{options_.output}, options_));
}

TEST_F(Folder, ThatIsAFileIsRefused) {
  write_file(folder_ / "runs", "precious");
  refuse({"--output", options_.output.string(), "cannot write there"});
}

// As odometry looks for it.
TEST_F(Folder, NamesTheModelByMethodResolutionAndPreset) {
  options_.method = Method::mbym;
  options_.resolution = 127;
  options_.preset = Preset::standard;
  EXPECT_EQ(RunFolder{"x"}.model(options_), "x/mbym-127-default.safetensors");
}

}  // namespace
}  // namespace fmbym::training
