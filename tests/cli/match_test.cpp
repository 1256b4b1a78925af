// One pair of scans: the motion between them, as text, as JSON and as a picture.
#include <gtest/gtest.h>

#include "cli/results.hpp"
#include "support/drive.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

SE2 pose_of(const Json& match) {
  return {match["x_m"], match["y_m"], match["yaw_rad"]};
}

class MatchCommand : public ::testing::Test {
 protected:
  Outcome match(const std::filesystem::path& a, const std::filesystem::path& b, const Arguments& more = {}) {
    Arguments arguments = {"match", a, b};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  Json match_json(const std::filesystem::path& a, const std::filesystem::path& b, Arguments more = {}) {
    more.push_back("--json");
    const Outcome outcome = match(a, b, more);
    expect_done(outcome);
    EXPECT_EQ(outcome.err, "");
    return outcome.json();
  }
  std::filesystem::path blank_scan(int index) {
    OxfordScan blank = make_oxford_scan(Drive::time_us(index));
    std::fill(blank.power.begin(), blank.power.end(), std::uint8_t{0});
    write_oxford_scan(folder_ / "blank.png", blank);
    return folder_ / "blank.png";
  }

  TemporaryFolder folder_;
  Drive drive_{.scans = 2, .step = 2};
  OxfordSequence sequence_ = write_drive(folder_.path(), drive_);
  std::filesystem::path earlier_ = sequence_.file(Drive::time_us(0)),
                        later_ = sequence_.file(Drive::time_us(1));
};

TEST_F(MatchCommand, FindsTheMotion) {
  for (const char* method : {"f-raw", "raw"}) {
    const Json found = match_json(earlier_, later_, {"--method", method});
    expect_near(pose_of(found), drive_.T_prev_curr(), 0.1, 0.01);
    EXPECT_EQ(found["method"], method);
    EXPECT_EQ(found["reliable"], true);
  }
}

TEST_F(MatchCommand, JsonHasAllItsMembers) {
  const Json found = match_json(earlier_, later_, {"--resolution", "127", "--preset", "paper"});
  EXPECT_EQ(found["preset"], "paper");
  EXPECT_EQ(found["resolution"], 127);
  ASSERT_EQ(found["covariance"].size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(found["covariance"][i].size(), 3u);
    EXPECT_GT(found["covariance"][i][i], 0);
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(found["covariance"][i][j], found["covariance"][j][i]);
  }
  for (const char* fraction : {"yaw_peak_ratio", "translation_peak_ratio", "correlation"}) {
    EXPECT_GE(found[fraction], 0) << fraction;
    EXPECT_LE(found[fraction], 1) << fraction;
  }
  for (const char* stage : {"rotation", "translation"}) EXPECT_GT(found["timing_ms"][stage], 0) << stage;
  EXPECT_EQ(found["timing_ms"]["mask"], 0);
  EXPECT_EQ(found["precision"], "fp32");
  EXPECT_EQ(found["model_sha256"], nullptr);
}

TEST_F(MatchCommand, TheOtherWayRoundIsTheInverse) {
  const SE2 there = pose_of(match_json(earlier_, later_)), back = pose_of(match_json(later_, earlier_));
  expect_near(there * back, {}, 0.1, 0.01);
  expect_near(pose_of(match_json(earlier_, earlier_)), {}, 0.01, 0.001);
}

TEST_F(MatchCommand, TextNamesTheScansAndTheUnits) {
  const Outcome outcome = match(earlier_, later_);
  expect_done(outcome);
  EXPECT_EQ(outcome.err, "");
  expect_contains(outcome.out, {"pose of " + later_.filename().string() + " in the frame of " +
                                    earlier_.filename().string(),
                                "m forward", "m to the right", "° clockwise", "\n  reliable\n"});
}

TEST_F(MatchCommand, DrawsAPicture) {
  for (const char* method : {"f-raw", "raw"}) {
    const std::filesystem::path picture = folder_ / (std::string(method) + ".png");
    const Outcome outcome =
        match(earlier_, later_, {"--method", method, "--resolution", "127", "--picture", picture});
    expect_done(outcome);
    const std::string bytes = read_file(picture);
    EXPECT_TRUE(bytes.starts_with("\x89PNG\r\n\x1a\n"));
    EXPECT_NE(bytes.find("IEND"), std::string::npos);
    EXPECT_GT(bytes.size(), 10'000u);  // more than an empty sheet
  }
}

TEST_F(MatchCommand, ABlankScanDeterminesNothing) {
  const auto blank = blank_scan(0);
  for (const auto& [a, b] : {std::pair{blank, blank}, std::pair{earlier_, blank}, std::pair{blank, later_}})
    for (const char* method : {"f-raw", "raw"}) {
      const Outcome outcome =
          match(a, b, {"--json", "--method", method, "--picture", folder_ / "picture.png"});
      expect_done(outcome);
      EXPECT_EQ(outcome.json()["reliable"], false);
      EXPECT_GT(outcome.json()["covariance"][0][0], 20);
      expect_no_nan(outcome.out);
      Json numbers = outcome.json();
      numbers.erase("model_sha256");
      EXPECT_EQ(numbers.dump().find("null"), std::string::npos)
          << outcome.out;  // as JSON writes what is not finite
    }
  expect_contains(match(blank, blank).out, {"NOT RELIABLE"});
}

TEST_F(MatchCommand, TheSensorCanBeGiven) {
  const std::string doubled = std::to_string(2 * Drive::kRangeResolution);
  const SE2 twice = pose_of(match_json(earlier_, later_, {"--range-resolution", doubled}));
  const SE2 once = drive_.T_prev_curr();
  expect_near(twice, {2 * once.x, 2 * once.y, once.yaw}, 0.2, 0.01);
}

TEST_F(MatchCommand, NoSuchScan) {
  const std::filesystem::path missing = folder_ / "nowhere.png";
  expect_failure(match(earlier_, missing), kFailed, {missing.c_str(), "cannot read", "check the path"});
  expect_failure(match(missing, later_), kFailed, {missing.c_str(), "cannot read", "check the path"});
  expect_failure(match(earlier_, sequence_.folder()), kFailed, {sequence_.folder().c_str(), "not a folder"});
}

TEST_F(MatchCommand, ABadScanLeavesNoPicture) {
  write_file(later_, "");
  const std::filesystem::path picture = folder_ / "picture.png";
  expect_failure(match(earlier_, later_, {"--picture", picture}), kFailed, {later_.c_str(), "an empty file"});
  EXPECT_FALSE(std::filesystem::exists(picture));
}

}  // namespace
}  // namespace fmbym::testing
