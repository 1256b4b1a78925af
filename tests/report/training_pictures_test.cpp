// The pictures of training: curves where the numbers say, and no failure whatever the numbers are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "decoded_png.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"
#include "fmbym/report/training_cost.hpp"
#include "fmbym/report/training_curves.hpp"
#include "report/curve_panel.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym {
namespace {

using testing::DecodedPng;
using testing::has_colour;
using testing::TemporaryFolder;

TrainingCurves curves(int head_start, int poses) {
  TrainingCurves made{"f-mbym at 127", {}};
  for (int i = 1; i <= head_start + poses; ++i) {
    TrainingCurves::Epoch epoch{i, i <= head_start, 1.0 / i, {}, {}, false};
    if (!epoch.head_start) {
      epoch.translation_percent = 2 + 8.0 / i;
      epoch.rotation_deg_per_km = 6 + 30.0 / i;
      epoch.best = true;
    }
    made.epochs.push_back(epoch);
  }
  return made;
}

DecodedPng picture_of(const TrainingCurves& made) {
  const TemporaryFolder folder;
  write_training_curves(folder / "curves.png", made);
  return DecodedPng(read_file(folder / "curves.png"));
}

DecodedPng picture_of(const TrainingCost& cost) {
  const TemporaryFolder folder;
  write_training_cost(folder / "cost.png", cost);
  return DecodedPng(read_file(folder / "cost.png"));
}

long count(const DecodedPng& png, const report::Colour& colour) {
  return std::count_if(png.pixels.begin(), png.pixels.end(),
                       [&](std::uint32_t pixel) { return has_colour(pixel, colour); });
}

TEST(TrainingCurves, TellTheStagesApartAndMarkTheBest) {
  const DecodedPng both = picture_of(curves(5, 20)), poses = picture_of(curves(0, 20));
  EXPECT_GT(count(both, report::kOrange), 100);
  EXPECT_GT(count(both, report::kAzure), 100);
  EXPECT_GT(count(both, report::kAlarm), 50);
  EXPECT_EQ(count(poses, report::kOrange), 0);
}

TEST(TrainingCurves, WithoutValidationMarkNothing) {
  const DecodedPng png = picture_of(curves(3, 0));
  EXPECT_EQ(count(png, report::kAzure), 0);
  EXPECT_EQ(count(png, report::kAlarm), 0);
}

TEST(TrainingCurves, CanBeDrawnOfAnyNumbers) {
  for (const double odd : {0.0, -1.0, double(NAN), double(INFINITY), 1e300, 1e-300}) {
    TrainingCurves made = curves(2, 5);
    made.epochs[1].loss = made.epochs[4].loss = odd;
    made.epochs[3].translation_percent = odd;
    made.epochs.back().rotation_deg_per_km = odd;
    EXPECT_EQ(picture_of(made).width, 1500);
  }
  EXPECT_EQ(picture_of(curves(0, 1)).width, 1500);
  EXPECT_EQ(picture_of(TrainingCurves{}).width, 1500);
}

TEST(TrainingCurves, AFileThatCannotBeWrittenIsNamed) {
  EXPECT_THROW(write_training_curves("no/such/folder/curves.png", curves(0, 2)), Error);
}

TEST(TrainingCost, HasACurveForEachMethodAndTheBudget) {
  TrainingCost cost{
      "cost", {{"f-mbym", {{1, 90, 300}, {2, 60, 400}, {4, 50, 600}}}, {"mbym", {{1, 900, 4000}}}}, 12000};
  const DecodedPng png = picture_of(cost);
  EXPECT_GT(count(png, report::kAzure), 100);
  EXPECT_GT(count(png, report::kOrange), 30);
  EXPECT_GT(count(png, report::kAlarm), 100);
  EXPECT_EQ(picture_of(TrainingCost{}).width, png.width);
}

std::vector<std::string> labels(double low, double high) {
  std::vector<std::string> all;
  for (const report::Tick& tick : report::logarithmic_ticks({std::log10(low), std::log10(high)}))
    all.push_back(tick.label);
  return all;
}

TEST(LogarithmicTicks, AreRoundNumbersAboutAsManyAsFit) {
  using Labels = std::vector<std::string>;
  EXPECT_EQ(labels(2, 3.1), (Labels{"2.0", "2.2", "2.4", "2.6", "2.8", "3.0"}));
  EXPECT_EQ(labels(0.04, 1.1), (Labels{"0.05", "0.1", "0.2", "0.5", "1"}));
  EXPECT_EQ(labels(0.5, 2e4), (Labels{"1", "10", "100", "1000", "10000"}));
}

TEST(LogarithmicTicks, LieWhereTheirNumbersAre) {
  for (const report::Tick& tick : report::logarithmic_ticks({-2, 1}))
    EXPECT_NEAR(std::pow(10, tick.value), std::stod(tick.label), 1e-9);
}

}  // namespace
}  // namespace fmbym
