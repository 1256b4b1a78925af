#include "fmbym/imaging/plain_mask.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "fmbym/core/error.hpp"

namespace fmbym {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Keeps everything: each test switches its rule on.
constexpr PlainMaskConfig kOff{
    .min_range = 0, .returns = 0, .threshold = 0, .ceiling = 1, .strongest = 0, .neighbours = 0, .margin = 0};

void repeat_first(RangeProfile& profile) {
  for (const int copy : {profile.azimuths, profile.azimuths + 1})
    std::copy_n(profile.row(0), profile.cells, profile.row(copy));
}

RangeProfile blank(int azimuths, int cells) {
  RangeProfile profile{azimuths, cells, 0.2, {}};
  profile.power.resize(static_cast<std::size_t>(azimuths + 2) * static_cast<std::size_t>(cells));
  return profile;
}

RangeProfile one_azimuth(const std::vector<float>& power) {
  RangeProfile profile = blank(1, static_cast<int>(power.size()));
  std::copy(power.begin(), power.end(), profile.row(0));
  repeat_first(profile);
  return profile;
}

RangeProfile random_profile(int azimuths, int cells, unsigned seed) {
  RangeProfile profile = blank(azimuths, cells);
  std::mt19937 random(seed);
  // In steps of 1/64, so that there are equal ones.
  for (float& power : profile.power) power = static_cast<float>(random() % 32) / 64;
  repeat_first(profile);
  return profile;
}

std::vector<float> masked(const PlainMaskConfig& config, RangeProfile profile) {
  PlainMask(config).apply(profile);
  return profile.power;
}

std::vector<float> masked_azimuth(const PlainMaskConfig& config, const std::vector<float>& power) {
  std::vector<float> all = masked(config, one_azimuth(power));
  all.resize(power.size());
  return all;
}

PlainMaskConfig with(const std::function<void(PlainMaskConfig&)>& change, PlainMaskConfig config = kOff) {
  change(config);
  return config;
}

TEST(PlainMask, KeepsEverythingWithoutRules) {
  const RangeProfile profile = random_profile(40, 30, 1);
  EXPECT_EQ(masked(kOff, profile), profile.power);
}

TEST(PlainMask, DropsWhatIsTooNear) {
  const auto config = with([](auto& c) { c.min_range = 0.5; });  // cells are 0.2 m apart
  EXPECT_EQ(masked_azimuth(config, {1, 1, 1, 1, 1}), (std::vector<float>{0, 0, 0, 1, 1}));
  const auto all = with([](auto& c) { c.min_range = 50; });
  EXPECT_EQ(masked_azimuth(all, {1, 1, 1}), (std::vector<float>{0, 0, 0}));
}

TEST(PlainMask, DropsWhatIsWeak) {
  const auto config = with([](auto& c) { c.threshold = 0.25; });
  EXPECT_EQ(masked_azimuth(config, {0.2f, 0.25f, 0.3f, 0}), (std::vector<float>{0, 0.25f, 0.3f, 0}));
}

TEST(PlainMask, CutsWhatIsAboveTheCeiling) {
  const auto config = with([](auto& c) { c.ceiling = 0.5; });
  EXPECT_EQ(masked_azimuth(config, {0.2f, 0.5f, 0.9f}), (std::vector<float>{0.2f, 0.5f, 0.5f}));
}

TEST(PlainMask, KeepsWhatAtMostSoManyAreStrongerThan) {
  const auto config = with([](auto& c) { c.strongest = 2; });
  EXPECT_EQ(masked_azimuth(config, {0.1f, 0.5f, 0.2f, 0.4f, 0.3f}),
            (std::vector<float>{0, 0.5f, 0, 0.4f, 0.3f}));
  EXPECT_EQ(masked_azimuth(config, {0.1f, 0.3f, 0.3f, 0.3f, 0.3f}),
            (std::vector<float>{0, 0.3f, 0.3f, 0.3f, 0.3f}));
  EXPECT_EQ(masked_azimuth(config, {0, 0.3f, 0.2f, 0}), (std::vector<float>{0, 0.3f, 0.2f, 0}));
}

TEST(PlainMask, CountsTheStrongestAmongWhatIsLeft) {
  // The near cell, however strong, takes nobody's place.
  const auto config = with([](auto& c) { c.strongest = 1, c.min_range = 0.1; });
  EXPECT_EQ(masked_azimuth(config, {1, 0.1f, 0.3f, 0.2f}), (std::vector<float>{0, 0, 0.3f, 0.2f}));
}

TEST(PlainMask, DropsTheFlanksOfAnArc) {
  const auto config = with([](auto& c) { c.neighbours = 2, c.margin = 0.05; });
  RangeProfile profile = blank(8, 2);
  const float arc[] = {0, 0.1f, 0.3f, 0.46f, 0.5f, 0.44f, 0.2f, 0};
  const float kept[] = {0, 0, 0, 0.46f, 0.5f, 0, 0, 0};
  for (int a = 0; a < 8; ++a) profile.row(a)[1] = arc[a];
  profile.row(6)[0] = 0.1f;  // another range
  PlainMask(config).apply(profile);
  for (int a = 0; a < 8; ++a) EXPECT_EQ(profile.row(a)[1], kept[a]) << a;
  EXPECT_EQ(profile.row(6)[0], 0.1f);
}

TEST(PlainMask, LastAzimuthsAreNeighboursOfTheFirst) {
  const auto config = with([](auto& c) { c.neighbours = 2; });
  for (const int strongest : {0, 1, 8, 9}) {
    RangeProfile profile = blank(10, 1);
    for (int a = 0; a < 10; ++a) profile.row(a)[0] = 0.2f;
    profile.row(strongest)[0] = 0.6f;
    repeat_first(profile);
    PlainMask(config).apply(profile);
    for (int a = 0; a < 10; ++a) {
      const int apart = std::min((a - strongest + 10) % 10, (strongest - a + 10) % 10);
      const float expected = apart == 0 ? 0.6f : apart <= 2 ? 0 : 0.2f;
      EXPECT_EQ(profile.row(a)[0], expected) << a << " beside " << strongest;
    }
  }
}

TEST(PlainMask, ComparesNeighboursAsTheyWere) {
  // Each is weaker than the one before: all but the first go, though their betters went before them.
  const auto config = with([](auto& c) { c.neighbours = 1; });
  RangeProfile profile = blank(6, 1);
  for (int a = 0; a < 6; ++a) profile.row(a)[0] = 0.9f - 0.1f * static_cast<float>(a);
  PlainMask(config).apply(profile);
  EXPECT_EQ(profile.row(0)[0], 0.9f);
  for (int a = 1; a < 6; ++a) EXPECT_EQ(profile.row(a)[0], 0) << a;
}

TEST(PlainMask, CopiesOfTheFirstAzimuthFollowIt) {
  RangeProfile profile = random_profile(50, 40, 3);
  const std::size_t size = profile.power.size();
  PlainMask(PlainMaskConfig{}).apply(profile);
  EXPECT_EQ(profile.power.size(), size);
  for (const int copy : {50, 51})
    EXPECT_TRUE(std::equal(profile.row(0), profile.row(1), profile.row(copy))) << copy;
}

TEST(PlainMask, NoNumberIsNoReturn) {
  const auto config = with([](auto& c) { c.strongest = 1, c.neighbours = 1; });
  RangeProfile profile = blank(4, 3);
  const float powers[] = {0.1f, kNaN, 0.3f, kNaN, kNaN, 0.2f, 0.2f, kNaN, 0.1f, 0.1f, 0.1f, kNaN};
  std::copy(std::begin(powers), std::end(powers), profile.power.begin());
  repeat_first(profile);
  PlainMask(config).apply(profile);
  const std::vector<float> kept = {0.1f, 0,    0.3f, 0,    0, 0,    0.2f, 0, 0,
                                   0,    0.1f, 0,    0.1f, 0, 0.3f, 0.1f, 0, 0.3f};
  EXPECT_EQ(profile.power, kept);
}

TEST(PlainMask, FewAzimuthsAreNoTrouble) {
  RangeProfile none;
  PlainMask mask(with([](auto& c) { c.neighbours = 3; }));
  EXPECT_NO_THROW(mask.apply(none));
  EXPECT_EQ(masked(with([](auto& c) { c.neighbours = 3; }), one_azimuth({0.1f, 0.2f})),
            one_azimuth({0.1f, 0.2f}).power);
}

// Powers of two, so that nothing is rounded.
TEST(PlainMask, DoesNotDependOnTheGain) {
  const RangeProfile profile = random_profile(60, 361, 9);
  const std::vector<float> expected = masked({}, profile);
  EXPECT_GT(std::ranges::count_if(expected, [](float power) { return power > 0; }), 60);
  for (const float gain : {1 / 32.0f, 0.25f, 8.0f}) {
    RangeProfile other = profile;
    for (float& power : other.power) power *= gain;
    EXPECT_EQ(masked({}, other), expected) << gain;
  }
}

TEST(PlainMask, BrightensUntilTheShareReachesTheThreshold) {
  RangeProfile profile = blank(200, 400);
  std::mt19937 random(3);
  for (float& power : profile.power) power = static_cast<float>(random() % 10000) / 1e6f;
  repeat_first(profile);
  const auto config = with([](auto& c) {
    c.returns = 0.1;
    c.threshold = 0.5;
  });
  const std::vector<float> kept = masked(config, profile);
  const auto cells = static_cast<double>(kept.size());
  EXPECT_NEAR(double(std::ranges::count_if(kept, [](float power) { return power > 0; })) / cells, 0.1, 0.01);
}

TEST(PlainMask, LeavesABlackScanBlack) {
  const auto config = with([](auto& c) {
    c.returns = 0.1;
    c.threshold = 0.5;
  });
  EXPECT_EQ(masked(config, blank(8, 50)), blank(8, 50).power);
  // One cell of fifty: less than a tenth.
  std::vector<float> one(50);
  one[20] = 0.6f;
  EXPECT_EQ(masked_azimuth(config, one), one);
  EXPECT_NO_THROW(masked(with([](auto& c) { c.min_range = 100; }, config), one_azimuth(one)));
}

// Every rule as it is said, cell by cell.
RangeProfile reference(const PlainMaskConfig& config, const RangeProfile& before) {
  RangeProfile after = before;
  for (int a = 0; a < before.azimuths; ++a) {
    std::vector<float> left;
    for (int k = 0; k < before.cells; ++k) {
      float& power = after.row(a)[k];
      for (int offset = -config.neighbours; offset <= config.neighbours; ++offset) {
        const int other = (a + offset + before.azimuths) % before.azimuths;
        if (before.row(a)[k] < before.row(other)[k] - static_cast<float>(config.margin)) power = 0;
      }
      if (k * before.metres_per_cell < config.min_range || power < static_cast<float>(config.threshold))
        power = 0;
      left.push_back(power);
    }
    std::sort(left.begin(), left.end(), std::greater<>());
    for (int k = 0; k < before.cells; ++k) {
      float& power = after.row(a)[k];
      if (config.strongest > 0 && config.strongest < before.cells &&
          power < left[static_cast<std::size_t>(config.strongest)])
        power = 0;
      power = std::min(power, static_cast<float>(config.ceiling));
    }
  }
  repeat_first(after);
  return after;
}

TEST(PlainMask, AgreesWithTheReference) {
  unsigned seed = 0;
  for (const PlainMaskConfig& config :
       {PlainMaskConfig{.returns = 0},
        PlainMaskConfig{.returns = 0, .threshold = 0.1, .strongest = 5, .neighbours = 1},
        PlainMaskConfig{
            .min_range = 0, .returns = 0, .threshold = 0, .ceiling = 1, .strongest = 3, .neighbours = 0},
        PlainMaskConfig{.returns = 0, .threshold = 0, .strongest = 1000, .neighbours = 7, .margin = 0.2},
        PlainMaskConfig{.returns = 0, .threshold = 0.4, .ceiling = 0.4, .strongest = 0, .margin = 0}}) {
    PlainMask mask(config);  // for profiles of changing size
    for (const int cells : {361, 40, 181}) {
      RangeProfile profile = random_profile(60, cells, ++seed);
      const RangeProfile expected = reference(config, profile);
      mask.apply(profile);
      EXPECT_EQ(profile.power, expected.power) << seed;
      EXPECT_GT(*std::max_element(profile.power.begin(), profile.power.end()), 0);
      // What stays would stay again.
      mask.apply(profile);
      EXPECT_EQ(profile.power, expected.power) << seed;
    }
  }
}

TEST(PlainMaskConfig, SaysWhatIsWrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto message = [](const std::function<void(PlainMaskConfig&)>& change) -> std::string {
    try {
      PlainMask mask(with(change, {}));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message([](auto&) {}), "");
  EXPECT_EQ(message([](auto& c) { c.min_range = -1; }), "mask: a nearest range of -1 m: 0 or more is needed");
  EXPECT_EQ(message([](auto& c) { c.returns = 1; }),
            "mask: 1 of the cells as returns: from 0 to less than 1 is needed");
  EXPECT_EQ(message([](auto& c) { c.threshold = 0; }),
            "mask: 0.05 of the cells are to reach a threshold of 0: set one of the two numbers");
  EXPECT_EQ(message([](auto& c) { c.threshold = 1.5; }),
            "mask: a threshold of 1.5: a part of full scale from 0 to 1 is needed");
  EXPECT_EQ(message([](auto& c) { c.ceiling = 0.2; }),
            "mask: a ceiling of 0.2: more than 0 and no less than the threshold, 0.25, is needed");
  EXPECT_EQ(message([](auto& c) { c.strongest = -1; }), "mask: -1 strongest cells: 0 or more are needed");
  EXPECT_EQ(message([](auto& c) { c.neighbours = 101; }),
            "mask: 101 neighbouring azimuths: from 0 to 100 are needed");
  EXPECT_EQ(message([](auto& c) { c.margin = -0.1; }), "mask: a margin of -0.1: 0 or more is needed");
  for (double PlainMaskConfig::*field :
       {&PlainMaskConfig::min_range, &PlainMaskConfig::returns, &PlainMaskConfig::threshold,
        &PlainMaskConfig::ceiling, &PlainMaskConfig::margin})
    EXPECT_NE(message([&](auto& c) { c.*field = nan; }), "");
}

}  // namespace
}  // namespace fmbym
