#include "matching/translation_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "support/synthetic_world.hpp"

namespace fmbym {
namespace {

// Coefficients of at most 1 out of float transforms of some thousand values: a few roundings of 6e-8, with
// room.
constexpr double kRounding = 2e-6;

Image noise(int size, unsigned seed) {
  Image image(size, 1);
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(0, 1);
  for (float& pixel : image.pixels()) pixel = uniform(random);
  return image;
}

double value(const Image& image, int r, int c) {
  const int n = image.size();
  return r < 0 || c < 0 || r >= n || c >= n ? 0 : image.at(r, c);
}

Image without_mean(Image image) {
  double mean = 0;
  for (const float p : image.pixels()) mean += p;
  mean /= double(image.size()) * image.size();
  for (float& p : image.pixels()) p = static_cast<float>(p - mean);
  return image;
}

double energy(const Image& image) {
  double sum = 0;
  for (const float p : image.pixels()) sum += double(p) * p;
  return sum;
}

// Σ current(x) previous(x + d), nothing outside the images, over the energies.
double naive_coefficient(const Image& current, const Image& previous, int forward, int right) {
  double sum = 0;
  for (int r = 0; r < current.size(); ++r)
    for (int c = 0; c < current.size(); ++c)
      sum += current.at(r, c) * value(previous, r - forward, c + right);
  return sum / std::sqrt(energy(current) * energy(previous));
}

void expect_naive(int size, int lags, bool remove_mean) {
  SCOPED_TRACE(::testing::Message() << size << " pixels, " << lags << " lags, remove mean " << remove_mean);
  const Image current = noise(size, 1), previous = noise(size, 2);
  const Image f = remove_mean ? without_mean(current) : current,
              g = remove_mean ? without_mean(previous) : previous;
  TranslationSearch search(size, lags, remove_mean);
  search.set_current(current);
  const std::vector<float>& surface = search.correlate(previous, 0);
  ASSERT_EQ(surface.size(), std::size_t((2 * lags + 1) * (2 * lags + 1)));
  for (int i = 0; i < search.side(); ++i)
    for (int j = 0; j < search.side(); ++j)
      ASSERT_NEAR(surface[std::size_t(i * search.side() + j)], naive_coefficient(f, g, lags - i, j - lags),
                  kRounding)
          << i << ' ' << j;
}

TEST(TranslationSearch, EqualsTheNaiveCorrelationAtEveryLag) {
  // 11 + 5 and 17 + 7 are friendly sizes: not a pixel of padding more than the largest lag needs.
  for (const bool remove_mean : {false, true}) {
    expect_naive(11, 5, remove_mean);
    expect_naive(17, 7, remove_mean);
    expect_naive(15, 7, remove_mean);
    expect_naive(15, 1, remove_mean);
  }
}

struct Lag {
  int forward, right;
};

Lag best_lag(const TranslationSearch& search) {
  const auto& surface = search.surface();
  const auto best = static_cast<int>(std::max_element(surface.begin(), surface.end()) - surface.begin());
  return {search.lags() - best / search.side(), best % search.side() - search.lags()};
}

TEST(TranslationSearch, PeaksAtTheShift) {
  const auto world = testing::SyntheticWorld::make(15, 1.5);
  const Image previous = world.image({}, 63, 1);
  for (const bool remove_mean : {false, true}) {
    TranslationSearch search(63, 12, remove_mean);
    for (const Lag shift : {Lag{0, 0}, {7, 3}, {-7, 3}, {7, -3}, {-7, -3}, {12, -12}, {-12, 12}, {0, 12}}) {
      // A sensor that moved forward sees what lay ahead of it nearer: current(x) = previous(x + d).
      search.set_current(world.image({double(shift.forward), double(shift.right), 0}, 63, 1));
      search.correlate(previous, 0);
      const Lag best = best_lag(search);
      EXPECT_EQ(best.forward, shift.forward);
      EXPECT_EQ(best.right, shift.right);
    }
  }
}

TEST(TranslationSearch, HasTheSamePixelsAmongFinerLags) {
  for (const int per_pixel : {2, 3}) {
    TranslationSearch coarse(15, 7, false), fine(15, 7, false, per_pixel);
    ASSERT_EQ(fine.lags(), per_pixel * coarse.lags());
    coarse.set_current(noise(15, 1));
    fine.set_current(noise(15, 1));
    const auto &expected = coarse.correlate(noise(15, 2), 0.1), &found = fine.correlate(noise(15, 2), 0.1);
    for (int i = 0; i < coarse.side(); ++i)
      for (int j = 0; j < coarse.side(); ++j)
        ASSERT_NEAR(found[std::size_t(per_pixel * (i * fine.side() + j))],
                    expected[std::size_t(i * coarse.side() + j)], kRounding);
  }
}

TEST(TranslationSearch, PeaksBetweenPixelsWithFinerLags) {
  const auto world = testing::SyntheticWorld::make(15, 1.5);
  TranslationSearch search(63, 12, true, 4);
  for (const Vec2 shift : {Vec2{0.25, 0.5}, {-6.75, 3.5}, {11.75, -12}}) {
    search.set_current(world.image({shift.x, shift.y, 0}, 63, 1));
    search.correlate(world.image({}, 63, 1), 0);
    EXPECT_EQ(best_lag(search).forward, 4 * shift.x);
    EXPECT_EQ(best_lag(search).right, 4 * shift.y);
  }
}

TEST(TranslationSearch, PeaksAtTheShiftOfTheTurnedImage) {
  const auto world = testing::SyntheticWorld::make(15, 1.5);
  const double yaw = 0.3;
  // previous(R (x + d)): the sensor moved by R d and turned.
  const Vec2 t = rotate(yaw, {5, -4});
  TranslationSearch search(63, 12, true);
  search.set_current(world.image({t.x, t.y, yaw}, 63, 1));
  search.correlate(world.image({}, 63, 1), yaw);
  EXPECT_EQ(best_lag(search).forward, 5);
  EXPECT_EQ(best_lag(search).right, -4);
}

TEST(TranslationSearch, CoefficientOfIdenticalImagesIsOne) {
  for (const bool remove_mean : {false, true}) {
    TranslationSearch search(31, 9, remove_mean);
    search.set_current(noise(31, 3));
    const auto& surface = search.correlate(noise(31, 3), 0);
    EXPECT_NEAR(surface[surface.size() / 2], 1, kRounding);
    EXPECT_LE(*std::max_element(surface.begin(), surface.end()), 1 + kRounding);
  }
}

TEST(TranslationSearch, IgnoresBrightness) {
  Image bright = noise(31, 5);
  for (float& pixel : bright.pixels()) pixel *= 37;
  TranslationSearch search(31, 9, true);
  search.set_current(noise(31, 4));
  const std::vector<float> plain = search.correlate(noise(31, 5), 0.1);
  const std::vector<float> brighter = search.correlate(bright, 0.1);
  for (std::size_t i = 0; i < plain.size(); ++i) ASSERT_NEAR(plain[i], brighter[i], kRounding);
}

TEST(TranslationSearch, WithoutMeanIgnoresAPedestal) {
  Image raised = noise(31, 5);
  for (float& pixel : raised.pixels()) pixel += 3;
  TranslationSearch search(31, 9, true), plain_search(31, 9, false);
  search.set_current(noise(31, 4));
  plain_search.set_current(noise(31, 4));
  const std::vector<float> plain = search.correlate(noise(31, 5), 0);
  const std::vector<float> with_pedestal = search.correlate(raised, 0);
  double difference = 0;
  const std::vector<float> unremoved = plain_search.correlate(noise(31, 5), 0);
  const std::vector<float> unremoved_raised = plain_search.correlate(raised, 0);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    ASSERT_NEAR(plain[i], with_pedestal[i],
                10 * kRounding);  // values ten times as large before the mean is gone
    difference = std::max(difference, std::abs(double(unremoved[i]) - unremoved_raised[i]));
  }
  EXPECT_GT(difference, 0.1);
}

TEST(TranslationSearch, SharesTheCurrentImage) {
  TranslationSearch owner(31, 9, true), borrower(31, 9, true);
  owner.set_current(noise(31, 4));
  borrower.share_current(owner);
  EXPECT_EQ(owner.correlate(noise(31, 5), 0.2), borrower.correlate(noise(31, 5), 0.2));
}

TEST(TranslationSearch, ADarkImageScoresZeroEverywhere) {
  TranslationSearch search(31, 9, true);
  search.set_current(noise(31, 4));
  for (const float score : search.correlate(Image(31, 1), 0)) ASSERT_EQ(score, 0);
}

TEST(MaxLagPixels, CoversTheLengthWithinHalfTheImage) {
  EXPECT_EQ(max_lag_pixels(0, 255, 0.4), 127);
  EXPECT_EQ(max_lag_pixels(25, 255, 0.4), 63);
  EXPECT_EQ(max_lag_pixels(0.1, 255, 0.4), 1);
  EXPECT_EQ(max_lag_pixels(1000, 255, 0.4), 127);
}

}  // namespace
}  // namespace fmbym
