#include "fmbym/report/match_picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "decoded_png.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"
#include "fmbym/odometry/config.hpp"
#include "report/colour_map.hpp"
#include "support/temporary_folder.hpp"
#include "synthetic_pair.hpp"

namespace fmbym {
namespace {

using testing::DecodedPng;
using testing::Place;
using testing::TemporaryFolder;

// A pair with what a matcher says about it.
struct Pair {
  Image current, previous;
  Match match;
  MatchEvidence evidence;
  const Image* current_mask = nullptr;
  const Image* previous_mask = nullptr;

  Pair(Image current_image, Image previous_image, Method method = Method::f_raw)
      : current(std::move(current_image)), previous(std::move(previous_image)) {
    const auto matcher = make_matcher(make_config(method, Preset::standard, 127));
    match = matcher->match(current, previous);
    evidence = matcher->evidence();
  }
};

Pair moving_pair() {
  const Place place;
  return {place.seen_from({2, 0.4, 0.05}), place.seen_from({})};
}

Pair blank_pair(Method method) {
  const Image blank(127, imaging_for_resolution(127).metres_per_pixel);
  return {blank, blank, method};
}

std::string picture_of(const Pair& pair, const std::string& title = "title") {
  const TemporaryFolder folder;
  write_match_picture(folder / "match.png", {pair.current, pair.previous, pair.match, pair.evidence, title,
                                             pair.current_mask, pair.previous_mask});
  return read_file(folder / "match.png");
}

std::size_t colours(const DecodedPng& png) {
  return std::set(png.pixels.begin(), png.pixels.end()).size();
}

TEST(MatchPicture, IsAPngOfItsSizeFullOfColours) {
  const DecodedPng png(picture_of(moving_pair()));
  EXPECT_EQ(png.width, 1500);
  EXPECT_EQ(png.height, 620);
  EXPECT_GT(colours(png), 1000u);  // the heat map alone has more; text and lines have some hundred
}

TEST(MatchPicture, IsTheSameBytesEveryTime) {
  const Pair pair = moving_pair();
  EXPECT_EQ(picture_of(pair), picture_of(pair));
}

TEST(MatchPicture, WarnsInRedOnlyOfAnUnreliableMatch) {
  Pair pair = moving_pair();
  // The header ends above the panels; the cross in the heat map is red too.
  const auto red_in_header = [&] {
    const DecodedPng png(picture_of(pair));
    return std::count_if(png.pixels.begin(), png.pixels.begin() + 80 * png.width,
                         [](auto pixel) { return testing::has_colour(pixel, report::kAlarm); });
  };
  ASSERT_TRUE(pair.match.reliable);
  EXPECT_EQ(red_in_header(), 0);
  pair.match.reliable = false;
  EXPECT_GT(red_in_header(), 100);
}

TEST(MatchPicture, ShowsThatABlankPairHasNoEvidence) {
  for (const Method method : {Method::f_raw, Method::raw}) {
    Pair pair = blank_pair(method);
    const std::string blank = picture_of(pair);
    EXPECT_LT(colours(DecodedPng(blank)), 600u);  // text only: no scan, no heat map
    pair.evidence = {};
    EXPECT_EQ(picture_of(pair), blank);
  }
}

TEST(MatchPicture, TakesUnusableEvidenceForNone) {
  Pair pair = moving_pair();
  const MatchEvidence sound = pair.evidence;
  pair.evidence = {};
  const std::string without = picture_of(pair);

  pair.evidence = sound;
  pair.evidence.yaw.pop_back();
  pair.evidence.translation.pop_back();
  EXPECT_EQ(picture_of(pair), without) << "sizes that do not fit together";

  pair.evidence = {};
  pair.evidence.side = 2;  // no cell in the middle
  pair.evidence.metres_per_cell = 1;
  pair.evidence.translation = {0, 1, 2, 3};
  pair.evidence.yaw = {0.1, 0.1};  // one candidate twice
  pair.evidence.yaw_score = {0.5, 0.6};
  EXPECT_EQ(picture_of(pair), without) << "no middle, no range";

  pair.evidence = sound;
  pair.evidence.yaw_score.front() = std::numeric_limits<double>::quiet_NaN();
  pair.evidence.translation.back() = std::numeric_limits<float>::infinity();
  EXPECT_EQ(picture_of(pair), without) << "scores that are no numbers";
}

Image mask_of(float value) {
  Image mask(127, 0.8);
  std::ranges::fill(mask.pixels(), value);
  return mask;
}

std::ptrdiff_t count(const DecodedPng& png, const report::Colour& colour) {
  return std::ranges::count_if(png.pixels, [&](auto pixel) { return testing::has_colour(pixel, colour); });
}

TEST(MatchPicture, ShowsTheMasksBelowTheRest) {
  Pair pair = moving_pair();
  const DecodedPng without(picture_of(pair));
  const Image low = mask_of(0.2f), high = mask_of(0.7f);
  pair.previous_mask = &low;
  pair.current_mask = &high;
  const DecodedPng with(picture_of(pair));
  EXPECT_EQ(with.width, without.width);
  EXPECT_EQ(with.height, 1130);
  EXPECT_TRUE(std::equal(without.pixels.begin(), without.pixels.end(), with.pixels.begin()));
  EXPECT_TRUE(
      testing::has_colour(with.at(900, 200), report::viridis(0.2)));  // the previous scan's on the left
  EXPECT_TRUE(testing::has_colour(with.at(900, 700), report::viridis(0.7)));
  for (const double value : {0.2, 0.7}) EXPECT_GT(count(with, report::viridis(value)), 420 * 420);
}

TEST(MatchPicture, ShowsNoMaskWithoutTheOther) {
  Pair pair = moving_pair();
  const std::string without = picture_of(pair);
  const Image mask = mask_of(1);
  pair.current_mask = &mask;
  EXPECT_EQ(picture_of(pair), without);
}

TEST(MatchPicture, TakesAMaskThatIsNoNumberForOneThatHides) {
  Pair pair = moving_pair();
  const Image odd = mask_of(std::numeric_limits<float>::quiet_NaN()), zero = mask_of(0), empty;
  pair.previous_mask = pair.current_mask = &zero;
  const std::string hidden = picture_of(pair);
  pair.previous_mask = pair.current_mask = &odd;
  EXPECT_EQ(picture_of(pair), hidden);
  pair.current_mask = &empty;
  EXPECT_NO_THROW(picture_of(pair));
}

TEST(MatchPicture, DrawsEmptyImages) {
  Pair pair = moving_pair();
  pair.previous = {};
  EXPECT_NO_THROW(picture_of(pair));
  pair.current = {};
  EXPECT_NO_THROW(picture_of(pair));
}

TEST(MatchPicture, TakesAnyTitle) {
  const Pair pair = blank_pair(Method::f_raw);
  const std::string plain = picture_of(pair, "scan ? 1");
  EXPECT_EQ(picture_of(pair, "scan \xff 1"), plain);  // file names need not be UTF-8
  EXPECT_EQ(picture_of(pair, "scan\n?\t1"), plain);
  // A title that runs on is cut, never drawn over the edge: what follows the cut makes no difference.
  const std::string endless(5000, 'x');
  EXPECT_EQ(picture_of(pair, endless), picture_of(pair, endless + "y"));
  EXPECT_NO_THROW(picture_of(pair, std::string(3000, 'x') + "ü"));
}

TEST(MatchPicture, LeavesNothingBesideTheFile) {
  const TemporaryFolder folder;
  const Pair pair = blank_pair(Method::f_raw);
  write_match_picture(folder / "match.png", {pair.current, pair.previous, pair.match, pair.evidence, ""});
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(MatchPicture, NamesTheFileItCannotWrite) {
  const TemporaryFolder folder;
  const auto png = folder / "missing/match.png";
  const Pair pair = blank_pair(Method::f_raw);
  try {
    write_match_picture(png, {pair.current, pair.previous, pair.match, pair.evidence, ""});
    FAIL() << "wrote into a folder that is not there";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(png.string()), std::string::npos) << error.what();
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace fmbym
