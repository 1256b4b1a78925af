// Pairs are what the ground truth says they are, however they are turned.
#include "training/examples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "fmbym/matching/refinement.hpp"
#include "fmbym/odometry/sightings.hpp"
#include "support/drive.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"
#include "training/consistency.hpp"
#include "training/scan_images.hpp"

namespace fmbym::training {
namespace {

constexpr double kPi = std::numbers::pi;

class Examples : public ::testing::Test {
 protected:
  Datasets sequence(const testing::Drive& drive = {}) {
    Datasets datasets;
    datasets.push_back(open_dataset(testing::write_drive(folder_ / "drive", drive).folder()));
    return datasets;
  }

  testing::TemporaryFolder folder_;
};

// A point of the current image is at T times itself in the reference, also after both were turned.
TEST(Symmetry, TurnsMotionsAsItTurnsImages) {
  constexpr int n = 21, middle = n / 2;
  const SE2 motion{3, -2, kPi / 2};  // whole pixels go to whole pixels
  const Vec2 point{4, 1};
  const auto pixel = [](const Vec2& p) {
    return std::pair{middle - int(std::lround(p.x)), middle + int(std::lround(p.y))};
  };
  torch::Tensor images = torch::zeros({2, n, n});
  const auto [row, column] = pixel(point);
  images[0][row][column] = 1;
  const auto [there_row, there_column] = pixel(motion * point);
  images[1][there_row][there_column] = 1;
  for (int turns = 0; turns < 4; ++turns) {
    for (const bool mirrored : {false, true}) {
      const Symmetry symmetry{turns, mirrored};
      const torch::Tensor turned = apply(symmetry, images);
      const auto where = [&](int image) {
        const auto cell = turned[image].argmax().item<int>();
        return Vec2{double(middle - cell / n), double(cell % n - middle)};
      };
      const Vec2 expected = apply(symmetry, motion) * where(0), found = where(1);
      EXPECT_NEAR(found.x, expected.x, 1e-9) << turns << mirrored;
      EXPECT_NEAR(found.y, expected.y, 1e-9) << turns << mirrored;
    }
  }
}

TEST(Turns, ChangeTheMotionBetweenScansTurnedApart) {
  const SE2 motion{3, -2, 0.4};
  const Vec2 point{4, 1};
  const double current = 0.3, reference = -0.2;
  const Vec2 expected = rotate(reference, motion * point);
  const Vec2 found = turned(motion, current, reference) * rotate(current, point);
  EXPECT_NEAR(found.x, expected.x, 1e-12);
  EXPECT_NEAR(found.y, expected.y, 1e-12);
}

TEST(Symmetry, TurnsClockwise) {
  torch::Tensor image = torch::zeros({1, 5, 5});
  image[0][0][2] = 1;                                                     // straight ahead
  EXPECT_EQ(apply(Symmetry{1, false}, image)[0][2][4].item<float>(), 1);  // to the right
}

TEST_F(Examples, OfThePaperAreSuccessiveScansWithTheirGroundTruth) {
  const OdometryConfig config = make_config(Method::f_mbym, Preset::paper, 65);
  const testing::Drive drive{.scans = 5};
  const Datasets datasets = sequence(drive);
  const ExampleSet set = form_examples(datasets, config, {});
  ASSERT_EQ(set.choices.size(), 4u);
  EXPECT_EQ(set.images.sizes(), (torch::IntArrayRef{5, 65, 65}));
  EXPECT_FALSE(set.targets.defined());
  const Image expected = CartesianImager(config.imaging).form(datasets[0]->read(3));
  const torch::Tensor kept = set.images[3].to(torch::kFloat);
  EXPECT_NEAR(kept[20][30].item<float>(), expected.at(20, 30), 1e-3);
  for (const auto& examples : set.choices) {
    ASSERT_EQ(examples.size(), 1u);
    EXPECT_EQ(examples[0].reference + 1, examples[0].current);
    const SE2 seen = between_sightings(drive.T_prev_curr(), 1);
    EXPECT_NEAR(examples[0].T_reference_current.x, seen.x, 1e-5);
    EXPECT_NEAR(examples[0].T_reference_current.yaw, seen.yaw, 1e-5);
  }
}

TEST_F(Examples, AugmentedAreAlsoSwappedAndFartherApart) {
  const ExampleSet set =
      form_examples(sequence(), make_config(Method::f_mbym, Preset::paper, 65), {.augment = true});
  std::set<std::int64_t> steps;
  for (const Example& example : set.choices.back()) steps.insert(example.current - example.reference);
  EXPECT_EQ(steps, (std::set<std::int64_t>{-3, -2, -1, 1, 2, 3}));
}

// Whatever is drawn, the correlation of the two images is highest where the pose says.
class Poses : public Examples, public ::testing::WithParamInterface<Preset> {};

TEST_P(Poses, FitTheImages) {
  constexpr int size = 255;
  OdometryConfig config = make_config(Method::f_mbym, GetParam(), size);
  config.mask = false;  // smooth images, so that the peak is exact
  const testing::Drive drive{.scans = 7, .step = GetParam() == Preset::paper ? 0.2 : 1};
  const ExampleSet set = form_examples(sequence(drive), config, {.augment = true});
  for (const auto& drawn : draw_epoch(set, true, 3, 1)) {
    const Batch batch = make_batch(set, {&drawn, 1});
    const auto image = [&](int i) {
      Image out(size, config.imaging.metres_per_pixel);
      const torch::Tensor pixels = batch.scans[0][i].contiguous();
      std::copy_n(pixels.data_ptr<float>(), out.pixels().size(), out.pixels().data());
      return out;
    };
    const Image current = image(0), reference = image(1);
    const auto pose = batch.poses.accessor<float, 2>()[0];
    Refinement refinement(size, config.imaging.metres_per_pixel);
    refinement.set_previous(reference);
    refinement.set_current(current);
    const SE2 found = refinement.climb({pose[0], pose[1], pose[2]}).T_prev_curr;
    // Uncompensated scans are distorted by their motion, here of up to 0.8 m/s.
    EXPECT_NEAR(found.x, pose[0], 0.06);
    EXPECT_NEAR(found.y, pose[1], 0.06);
    EXPECT_NEAR(found.yaw, pose[2], 0.004);
  }
}
INSTANTIATE_TEST_SUITE_P(Presets, Poses, ::testing::Values(Preset::paper, Preset::standard),
                         [](const auto& preset) { return to_string(preset.param); });

TEST_F(Examples, OfAnEpochAreAllScansOnceInAnOrderOfTheirOwn) {
  const ExampleSet set = form_examples(sequence(), make_config(Method::f_mbym, Preset::paper, 65), {});
  const auto order = [&](int epoch) {
    std::vector<std::int64_t> scans;
    for (const Drawn& drawn : draw_epoch(set, false, 7, epoch)) scans.push_back(drawn.example.current);
    return scans;
  };
  const auto first = order(1);
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), set.choices.size());
  EXPECT_EQ(first.size(), set.choices.size());
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
}

// Both scans of a pair, up to full scale; only those that the plain mask has not made equally bright.
TEST_F(Examples, AreAlsoSeenByRadarsOfOtherGains) {
  const auto gains_of = [&](Preset preset) {
    const ExampleSet set = form_examples(sequence(), make_config(Method::f_mbym, preset, 65), {});
    std::set<double> gains;
    for (int epoch = 1; epoch < 20; ++epoch)
      for (const Drawn& drawn : draw_epoch(set, true, 7, epoch)) gains.insert(drawn.gain);
    return gains;
  };
  const std::set<double> gains = gains_of(Preset::paper);
  EXPECT_TRUE(gains.contains(1));
  EXPECT_LT(*gains.begin(), 0.7);
  EXPECT_GT(*gains.rbegin(), 1.2);
  EXPECT_EQ(gains_of(Preset::standard), std::set<double>{1});

  const ExampleSet set = form_examples(sequence(), make_config(Method::f_mbym, Preset::paper, 65), {});
  Drawn drawn = draw_epoch(set, false, 7, 1).front();
  const torch::Tensor plain = make_batch(set, {&drawn, 1}).scans;
  for (const double gain : {0.5, 1.4}) {
    drawn.gain = gain;
    EXPECT_TRUE(make_batch(set, {&drawn, 1}).scans.equal((plain * gain).clamp_max(1))) << gain;
  }
}

TEST_F(Examples, WithoutGroundTruthAreRefused) {
  const auto quiet = testing::write_oxford_sequence(folder_ / "quiet", 3);
  Datasets datasets;
  datasets.push_back(open_dataset(quiet.folder()));
  EXPECT_THROW(form_examples(datasets, make_config(Method::f_mbym, Preset::paper, 65), {}), Error);
}

TEST(ConsistencyTargets, KeepWhatStaysAndDropWhatMoves) {
  constexpr int n = 65;
  std::vector<Image> images(9, Image(n, 1));
  std::vector<std::optional<SE2>> poses;
  for (int i = 0; i < 9; ++i) {
    poses.emplace_back(SE2{double(i), 0, 0});          // a metre ahead each scan
    images[std::size_t(i)].at(20 + i, 40) = 0.8f;      // stands in the world: falls back by a row
    images[std::size_t(i)].at(20, 10) = 0.8f;          // drives along
    images[std::size_t(i)].at(3 * i, 60 - 3 * i) = 1;  // noise
  }
  Consistency consistency(n);
  const auto& target = consistency.seen_from(*poses[4], 4, images, poses);
  EXPECT_EQ(target[24 * n + 40], 1);
  EXPECT_EQ(std::count(target.begin(), target.end(), 1), 1);
}

}  // namespace
}  // namespace fmbym::training
