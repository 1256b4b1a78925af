// What a training run is told: good values pass, every bad one is named with what was expected.
#include "training/options.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "support/expect_error.hpp"

namespace fmbym::training {
namespace {

TrainingOptions good() {
  TrainingOptions options;
  options.train = {"a"};
  options.val = {"b"};
  options.output = "out";
  return options;
}

void refuse(const std::function<void(TrainingOptions&)>& change, std::initializer_list<std::string> parts) {
  TrainingOptions options = good();
  change(options);
  const std::string message = testing::error_of([&] { options.validate(); });
  for (const std::string& part : parts) EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(TrainingOptions, DefaultsAreThePapers) {
  EXPECT_NO_THROW(good().validate());
  for (const auto& [resolution, batch, rate] :
       {std::tuple{127, 128, 1e-4}, {255, 64, 1e-4}, {511, 32, 1e-3}}) {
    TrainingOptions options = good();
    options.resolution = resolution;
    EXPECT_EQ(options.pairs_a_step(), batch);
    EXPECT_EQ(options.step_size(), rate);
  }
}

TEST(TrainingOptions, GivenValuesGoBeforeThePapers) {
  TrainingOptions options = good();
  options.batch = 8;
  options.learning_rate = 2e-3;
  EXPECT_EQ(options.pairs_a_step(), 8);
  EXPECT_EQ(options.step_size(), 2e-3);
}

TEST(TrainingOptions, WhatIsMissingIsNamed) {
  refuse([](auto& o) { o.train.clear(); }, {"--train", "found none"});
  refuse([](auto& o) { o.val.clear(); }, {"--val", "found none"});
  refuse([](auto& o) { o.output.clear(); }, {"--output", "found none"});
}

TEST(TrainingOptions, OnlyWhatHasMasksCanBeTrained) {
  for (const Method method : {Method::raw, Method::f_raw})
    refuse([&](auto& o) { o.method = method; }, {"--method", "f-mbym or mbym"});
}

TEST(TrainingOptions, OnlyASoftArgMaxHasALikelihood) {
  refuse([](auto& o) { o.loss.likelihood = -1; }, {"--likelihood -1", "0 or more"});
  refuse(
      [](auto& o) {
        o.loss.likelihood = 0.5;
        o.preset = Preset::standard;
      },
      {"--likelihood 0.5", "--preset paper"});
  TrainingOptions options = good();
  options.loss.likelihood = 0.5;
  EXPECT_NO_THROW(options.validate());
}

TEST(TrainingOptions, ImagesMustSuitTheNetwork) {
  for (const int size : {0, -5, 254, 4097}) refuse([&](auto& o) { o.resolution = size; }, {"odd"});
  refuse([](auto& o) { o.resolution = 63; }, {"--resolution 63", "64"});
}

TEST(TrainingOptions, CountsHaveTheirRanges) {
  for (const int count : {0, -1, 1'000'001})
    refuse([&](auto& o) { o.epochs = count; }, {"--epochs " + std::to_string(count), "1 to 1000000"});
  for (const int count : {-1, 1'000'001})
    refuse([&](auto& o) { o.consistency_epochs = count; }, {"--pretrain-epochs", "1 to 1000000"});
  for (const int count : {-1, 65537}) refuse([&](auto& o) { o.batch = count; }, {"--batch", "1 to 65536"});
  for (const int count : {0, -1, 257}) refuse([&](auto& o) { o.threads = count; }, {"--threads", "1 to 256"});
}

TEST(TrainingOptions, NumbersHaveTheirRanges) {
  for (const double rate : {-1e-4, 1.1, double(NAN), double(INFINITY)})
    refuse([&](auto& o) { o.learning_rate = rate; }, {"--lr", "up to 1"});
  for (const double minutes : {-1.0, double(NAN), double(INFINITY)})
    refuse([&](auto& o) { o.minutes = minutes; }, {"--minutes", "no limit"});
  for (const double weight : {-1.0, double(NAN), double(INFINITY)}) {
    refuse([&](auto& o) { o.loss.yaw = weight; }, {"--yaw-weight", "0 or more"});
    refuse([&](auto& o) { o.loss.x = weight; }, {"--x-weight", "0 or more"});
    refuse([&](auto& o) { o.loss.y = weight; }, {"--y-weight", "0 or more"});
  }
}

TEST(TrainingOptions, ALossOfNothingIsRefused) {
  refuse([](auto& o) { o.loss = {0, 0, 0}; }, {"--yaw-weight", "zeros"});
}

TEST(TrainingOptions, DevicesAreTwo) {
  refuse([](auto& o) { o.device = "abacus"; }, {"--device abacus", "cpu or cuda"});
}

TEST(TrainingOptions, GoingOnAndBeginningAnewAreTwoThings) {
  refuse([](auto& o) { o.resume = o.force = true; }, {"--resume", "--force"});
}

}  // namespace
}  // namespace fmbym::training
