// The loop: what it writes, that it can be stopped anywhere, and that it goes on as if it had not been.
#include "training/trainer.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"
#include "fmbym/masking/mask_model.hpp"
#include "support/drive.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"
#include "training/run_folder.hpp"

namespace fmbym::training {
namespace {

namespace fs = std::filesystem;

struct Listener : TrainingObserver {
  void on_pose(const PoseReport&) override { ++poses; }
  void on_start(const StartReport& start) override { started = start; }
  void on_step(const StepReport&) override { ++steps; }
  void on_epoch(const EpochReport& report) override { epochs.push_back(report); }
  bool should_stop() override { return steps == stop_after; }

  StartReport started;
  std::vector<EpochReport> epochs;
  int poses = 0, steps = 0, stop_after = -1;
};

void expect_error(const auto& action, std::initializer_list<std::string_view> parts) {
  const std::string message = testing::error_of(action);
  for (const std::string_view part : parts) EXPECT_NE(message.find(part), std::string::npos) << message;
}

class Trainer : public ::testing::Test {
 protected:
  Trainer() {
    testing::write_drive(folder_ / "train", {.scans = 5});
    testing::write_drive(folder_ / "val", {.scans = 3});
  }

  TrainingOptions options(const fs::path& output) const {
    TrainingOptions options;
    options.train = {folder_ / "train"};
    options.val = {folder_ / "val"};
    options.resolution = 65;
    options.output = folder_ / output;
    options.epochs = 2;
    options.consistency_epochs = 1;
    options.batch = 3;  // four pairs: a whole batch and what is left
    options.learning_rate = 1e-3;
    options.augment = true;
    options.licence = "none";
    return options;
  }

  // A run of one epoch through the poses; with these options it goes on for another.
  TrainingOptions begun(const fs::path& output) const {
    TrainingOptions options = this->options(output);
    options.consistency_epochs = 0;
    options.epochs = 1;
    Listener listener;
    train(options, listener);
    options.resume = true;
    options.epochs = 2;
    return options;
  }

  std::string contents(const TrainingOptions& options) const {
    return read_file(RunFolder{options.output}.checkpoint());
  }

  testing::TemporaryFolder folder_;
};

TEST_F(Trainer, LearnsInTwoStagesAndKeepsTheBestEpoch) {
  TrainingOptions options = this->options("run");
  options.train = {folder_ / "train" / ""};  // a slash at the end, as a shell completes it
  Listener listener;
  const TrainingResult result = train(options, listener);
  EXPECT_EQ(listener.started.train_pairs, 4u);
  EXPECT_EQ(listener.started.epochs, 3);
  ASSERT_EQ(listener.epochs.size(), 3u);
  EXPECT_EQ(listener.epochs[0].stage, "consistency");
  EXPECT_EQ(listener.epochs[1].stage, "pose");
  EXPECT_EQ(listener.steps, 3 * 2);
  EXPECT_EQ(result.reason, StopReason::finished);
  EXPECT_EQ(result.epochs_done, 3);
  double best = 1e9;
  for (const EpochReport& epoch : listener.epochs) {
    ASSERT_TRUE(epoch.validation);
    EXPECT_EQ(epoch.best, epoch.validation->translation_percent < best);
    best = std::min(best, epoch.validation->translation_percent);
  }
  const MaskModel model = read_model(result.model);
  EXPECT_EQ(model.info.epoch, result.best_epoch);
  EXPECT_EQ(model.info.validation_translation_percent, best);
  EXPECT_EQ(model.info.training_data, "train");
  EXPECT_EQ(model.info.licence, "none");
  EXPECT_TRUE(model.info.yaw_temperature);
  EXPECT_EQ(read_model(RunFolder{options.output}.last_model()).info.epoch, result.epochs_done);
}

TEST_F(Trainer, GivesTheSameBytesAgain) {
  Listener listener;
  train(options("a"), listener);
  train(options("b"), listener);
  EXPECT_EQ(contents(options("a")), contents(options("b")));
}

TEST_F(Trainer, LearnsFromThePosesOfTheOdometry) {
  testing::write_drive(folder_ / "untold", {.scans = 5});
  fs::remove_all(folder_ / "untold" / "gt");
  TrainingOptions options = this->options("run");
  options.preset = Preset::standard;
  options.consistency_epochs = 0;
  options.train = options.val = {folder_ / "untold"};
  options.output = folder_ / "found";
  Listener listener;
  expect_error([&] { train(options, listener); }, {"untold", "ground truth", "--poses odometry"});
  options.poses = PoseSource::odometry;
  const TrainingResult result = train(options, listener);
  EXPECT_EQ(listener.poses, 2 * 5);
  EXPECT_EQ(listener.started.train_pairs, 4u);
  EXPECT_EQ(result.epochs_done, 2);
  EXPECT_LT(result.best->x, 0.2);  // from what the odometry found; an eighth of a pixel

  options.resume = true;
  options.poses = PoseSource::ground_truth;
  expect_error([&] { train(options, listener); }, {"other options", "--poses odometry"});
}

TEST_F(Trainer, KeepsTheGroundTruthOfWhatItValidatesOn) {
  TrainingOptions options = this->options("run");
  options.poses = PoseSource::odometry;
  Listener listener;
  train(options, listener);
  EXPECT_EQ(listener.poses, 5);  // those of val are known
}

TEST_F(Trainer, CanBeStoppedWhileItFindsPoses) {
  TrainingOptions options = this->options("run");
  options.poses = PoseSource::odometry;
  Listener listener;
  listener.stop_after = 0;  // at once
  const TrainingResult result = train(options, listener);
  EXPECT_EQ(result.reason, StopReason::interrupted);
  EXPECT_EQ(listener.poses, 1);
  EXPECT_EQ(result.epochs_done, 0);
}

// As killed in the middle of an epoch: what is on disk is all that is left.
TEST_F(Trainer, GoesOnAsIfItHadNotBeenStopped) {
  for (const Preset preset : {Preset::paper, Preset::standard}) {
    TrainingOptions whole = options("whole" + to_string(preset)),
                    halves = options("halves" + to_string(preset));
    whole.preset = halves.preset = preset;
    Listener quiet;
    train(whole, quiet);
    for (const int stop_after : {3, 1}) {  // in the middle of the second epoch, then of the third
      Listener stopping;
      stopping.stop_after = stop_after;
      EXPECT_EQ(train(halves, stopping).reason, StopReason::interrupted);
      halves.resume = true;
    }
    Listener last;
    const TrainingResult result = train(halves, last);
    EXPECT_EQ(last.started.epochs_done, 1);
    EXPECT_EQ(result.epochs_done, 3);
    EXPECT_EQ(contents(whole), contents(halves));
    EXPECT_EQ(read_file(RunFolder{whole.output}.model(whole)), read_file(result.model));
  }
}

TEST_F(Trainer, StopsWhenTimeIsUp) {
  TrainingOptions options = this->options("run");
  options.minutes = 1e-6;
  Listener listener;
  const TrainingResult result = train(options, listener);
  EXPECT_EQ(result.reason, StopReason::out_of_time);
  EXPECT_EQ(result.epochs_done, 1);
}

TEST_F(Trainer, StartsFromAModel) {
  TrainingOptions first = options("first");
  Listener listener;
  first.epochs = 1;
  const TrainingResult result = train(first, listener);
  TrainingOptions second = options("second");
  second.init = result.model;
  second.consistency_epochs = 0;
  second.epochs = 1;
  second.learning_rate = 1e-9;  // stays where it began
  const TrainingResult again = train(second, listener);
  EXPECT_NEAR(again.best->x, result.best->x, 0.1);
}

TEST_F(Trainer, StopsAtALossThatIsNoNumberAndKeepsTheCheckpoint) {
  const TrainingOptions options = begun("run");
  const fs::path checkpoint = RunFolder{options.output}.checkpoint();
  Listener listener;
  // A checkpoint whose weights are so large that the loss overflows.
  TensorFile file = read_tensor_file(checkpoint);
  Tensor& bias = file.tensors.at("mask.conv.bias");
  bias = make_tensor(TensorType::f32, bias.shape, std::vector<float>{1e38f, -1e38f});
  Tensor& weight = file.tensors.at("h1.norm1.weight");
  weight = make_tensor(TensorType::f32, weight.shape, std::vector<float>(8, 3e38f));
  write_tensor_file(checkpoint, file);
  const std::string before = contents(options);
  expect_error([&] { train(options, listener); }, {"epoch 2", "no number", "--lr"});
  EXPECT_EQ(contents(options), before);
}

TEST_F(Trainer, RefusesACheckpointThatTellsNotHowFarItCame) {
  const TrainingOptions options = begun("run");
  const fs::path checkpoint = RunFolder{options.output}.checkpoint();
  Listener listener;
  const TensorFile good = read_tensor_file(checkpoint);
  for (const std::string key : {"steps", "epochs_done", "options"}) {
    TensorFile damaged = good;
    std::string& about = damaged.metadata.at("fmbym_training");
    about.insert(about.find(key), "no_");
    write_tensor_file(checkpoint, damaged);
    expect_error([&] { train(options, listener); }, {"checkpoint", "can't be read", "--force"});
  }
}

TEST_F(Trainer, RefusesWhatItCannotLearnFrom) {
  Listener listener;
  TrainingOptions blind = options("blind");
  testing::write_oxford_sequence(folder_ / "no-truth", 3);
  blind.train = {folder_ / "no-truth"};
  expect_error([&] { train(blind, listener); }, {"no-truth", "ground truth"});

  TrainingOptions other = options("other");
  testing::write_drive(folder_ / "one", {.scans = 1});
  other.val = {folder_ / "one"};
  expect_error([&] { train(other, listener); }, {"one"});
  other.train = {folder_ / "one"};
  other.poses = PoseSource::odometry;
  expect_error([&] { train(other, listener); }, {"one", "matched no two", "fmbym odometry"});

  TrainingOptions mixed = options("mixed");
  testing::write_drive(folder_ / "another-radar", {.scans = 3});
  write_file(folder_ / "another-radar/sensor.json", R"({"range_resolution": 0.3})");
  mixed.train.push_back(folder_ / "another-radar");
  expect_error([&] { train(mixed, listener); }, {"another-radar", "0.3 m", "one geometry"});

  TrainingOptions missing = options("missing");
  missing.train = {folder_ / "nowhere"};
  expect_error([&] { train(missing, listener); }, {"nowhere"});
  EXPECT_FALSE(RunFolder{missing.output}.holds_run());
}

TEST_F(Trainer, RefusesAFolderThatHoldsAnotherRun) {
  Listener listener;
  TrainingOptions options = this->options("run");
  options.epochs = 1;
  train(options, listener);
  expect_error([&] { train(options, listener); }, {"--resume", "--force"});
  options.resume = true;
  options.seed = 2;
  expect_error([&] { train(options, listener); }, {"other options", "--seed 1"});
  options.seed = 1;
  options.calibration.azimuth_offset = 0.01;
  expect_error([&] { train(options, listener); }, {"other options", "--device cpu"});
  options.resume = false;
  options.force = true;
  EXPECT_EQ(train(options, listener).epochs_done, 2);
}

}  // namespace
}  // namespace fmbym::training
