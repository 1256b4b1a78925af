// The log: a line an epoch, whatever happened to the run in between.
#include "training/training_log.hpp"

#include <gtest/gtest.h>

#include "fmbym/core/file.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::training {
namespace {

EpochReport report(int epoch, double loss = 0.5) {
  EpochReport made;
  made.epoch = epoch;
  made.stage = epoch < 3 ? "consistency" : "pose";
  made.loss = loss;
  made.rate = 40.5;
  made.data_share = 0.01;
  made.seconds = 30;
  made.best = epoch == 4;
  if (epoch >= 3) made.validation = ValidationReport{2.5, 7.25, 0.05, 0.04, 0.001};
  return made;
}

std::vector<int> epochs_of(const std::filesystem::path& file) {
  std::vector<int> epochs;
  for (const EpochReport& epoch : read_training_log(file)) epochs.push_back(epoch.epoch);
  return epochs;
}

class Log : public ::testing::Test {
 protected:
  void log(bool resumed, int first, int last) {
    TrainingLog log(file_, resumed);
    for (int epoch = first; epoch <= last; ++epoch) log.append(report(epoch));
  }

  testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "log.jsonl";
};

TEST_F(Log, KeepsAllThatIsReported) {
  log(false, 1, 5);
  const auto epochs = read_training_log(file_);
  ASSERT_EQ(epochs.size(), 5u);
  EXPECT_EQ(epochs[0].stage, "consistency");
  EXPECT_FALSE(epochs[0].validation);
  EXPECT_EQ(epochs[3].stage, "pose");
  EXPECT_EQ(epochs[3].loss, 0.5);
  EXPECT_EQ(epochs[3].rate, 40.5);
  EXPECT_EQ(epochs[3].data_share, 0.01);
  EXPECT_EQ(epochs[3].seconds, 30);
  EXPECT_EQ(epochs[3].validation->rotation_deg_per_km, 7.25);
  EXPECT_EQ(epochs[3].validation->yaw, 0.001);
  EXPECT_TRUE(epochs[3].best);
  EXPECT_FALSE(epochs[4].best);
}

TEST_F(Log, EveryLineIsOnDiskWhenItsEpochIsOver) {
  TrainingLog log(file_, false);
  for (int epoch = 1; epoch <= 3; ++epoch) {
    log.append(report(epoch));
    EXPECT_EQ(epochs_of(file_).back(), epoch);
    EXPECT_TRUE(read_file(file_).ends_with('\n'));
  }
}

TEST_F(Log, ResumedGoesOn) {
  log(false, 1, 3);
  log(true, 4, 6);
  EXPECT_EQ(epochs_of(file_), (std::vector{1, 2, 3, 4, 5, 6}));
}

// Killed after a line, but before the checkpoint of its epoch.
TEST_F(Log, ResumedReplacesEpochsThatAreMadeAgain) {
  log(false, 1, 4);
  TrainingLog log(file_, true);
  log.append(report(3, 0.25));
  EXPECT_EQ(epochs_of(file_), (std::vector{1, 2, 3}));
  EXPECT_EQ(read_training_log(file_).back().loss, 0.25);
}

TEST_F(Log, ALineCutOffIsDropped) {
  log(false, 1, 3);
  const std::string whole = read_file(file_);
  write_file(file_, whole.substr(0, whole.size() - 20));
  EXPECT_EQ(epochs_of(file_), (std::vector{1, 2}));
  log(true, 3, 4);
  EXPECT_EQ(epochs_of(file_), (std::vector{1, 2, 3, 4}));
}

TEST_F(Log, ANewRunBeginsANewOne) {
  log(false, 1, 5);
  log(false, 1, 2);
  EXPECT_EQ(epochs_of(file_), (std::vector{1, 2}));
}

TEST_F(Log, UntilTheFirstEpochIsOverTheFormerLogStays) {
  log(false, 1, 2);
  const TrainingLog another(file_, false);
  EXPECT_EQ(epochs_of(file_), (std::vector{1, 2}));
}

TEST_F(Log, NothingIsReadWhereThereIsNone) {
  EXPECT_TRUE(read_training_log(folder_ / "none").empty());
}

TEST_F(Log, AFileThatCannotBeWrittenIsNamed) {
  TrainingLog log(folder_ / "no/log.jsonl", false);
  const std::string message = testing::error_of([&] { log.append(report(1)); });
  EXPECT_NE(message.find("no/log.jsonl"), std::string::npos) << message;
}

}  // namespace
}  // namespace fmbym::training
