// Every way a trajectory file can be wrong: one line that names the file, the line, what is wrong and what to
// do.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "evaluation/trajectories.hpp"
#include "fmbym/core/file.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym {
namespace {

using testing::contains;
using testing::TemporaryFolder;

const std::string kTum = "1 0 0 0 0 0 0 1\n";
const std::string kKitti = "1 0 0 0 0 1 0 0 0 0 1 0\n";
const std::string kHeader = "x,y,z,roll,pitch,yaw,source_radar_timestamp,destination_radar_timestamp\n";
const std::string kIncrement = kHeader + "1,0,0,0,0,0,2000000,1000000\n";

struct Wrong {
  const char* name;
  std::string text, place, what;
};

class WrongTrajectory : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongTrajectory, IsRefusedInOneLine) {
  const TemporaryFolder folder;
  const auto file = folder / "trajectory";
  write_file(file, GetParam().text);
  const std::string message = testing::message_of([&] { read_trajectory(file); });
  EXPECT_TRUE(message.starts_with(file.string() + GetParam().place)) << message;
  EXPECT_TRUE(contains(message, GetParam().what));
  EXPECT_TRUE(contains(message, "; "));
  EXPECT_TRUE(std::ranges::all_of(message, [](char c) { return c >= ' ' && c <= '~'; })) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Trajectory, WrongTrajectory,
    ::testing::Values(
        Wrong{"Empty", "", ": ", "no poses"}, Wrong{"OnlyComments", "# nothing\n\n", ": ", "no poses"},
        Wrong{"SevenColumns", "1 2 3 4 5 6 7\n", ":1: ", "7 columns belong to no known format"},
        Wrong{"Binary", std::string("\x89PNG\x01\0\n\x02", 8), ":1: ", "1 columns"},
        Wrong{"OnePose", kTum, ":1: ", "fewer than two poses"},
        Wrong{"OneRow", kKitti, ":1: ", "fewer than two poses"},
        Wrong{"OnlyHeader", kHeader, ":1: ", "fewer than two poses"},

        Wrong{"TumCutOff", "# c\n" + kTum + "2 0 0 0 0", ":3: ", "5 columns where the first line has 8"},
        Wrong{"TumWord", kTum + "2 0 zero 0 0 0 0 1\n", ":2: ", "column 3 is 'zero', not a number"},
        Wrong{"TumHalfANumber", kTum + "2 0 1.5x 0 0 0 0 1\n", ":2: ", "column 3 is '1.5x', not a number"},
        Wrong{"TumBytes", kTum + "2 0 \x01\xff 0 0 0 0 1\n", ":2: ", "column 3 is '?"},
        Wrong{"TumNan", kTum + "2 nan 0 0 0 0 0 1\n",
              ":2: ", "column 2 is 'nan'; every number must be finite"},
        Wrong{"TumInfinity", kTum + "2 0 0 -inf 0 0 0 1\n", ":2: ", "column 4 is '-inf'"},
        Wrong{"TumTooLarge", kTum + "2 0 0 1e999 0 0 0 1\n", ":2: ", "column 4 is '1e999'"},
        // Finite numbers whose sums and squares are not.
        Wrong{"TumTooFar", kTum + "2 1e200 0 0 0 0 0 1\n",
              ":2: ", "the position is 1e+200 m away, where at most 1e+09"},
        Wrong{"TumNanTime", kTum + "nan 0 0 0 0 0 0 1\n", ":2: ", "column 1 is 'nan'"},
        Wrong{"TumQuaternion", kTum + "2 0 0 0 0 0 0 0.98\n", ":2: ", "quaternion has length 0.98"},
        Wrong{"TumZeroQuaternion", kTum + "2 0 0 0 0 0 0 0\n", ":2: ", "quaternion has length 0"},
        Wrong{"TumRepeatedTime", kTum + kTum, ":2: ", "not later"},
        Wrong{"TumBackInTime", kTum + "0.999999999 0 0 0 0 0 0 1\n", ":2: ", "not later"},
        Wrong{"TumMicroseconds", kTum + "1547131046353776 0 0 0 0 0 0 1\n", ":2: ", "give times in seconds"},
        Wrong{"TumMilliseconds", kTum + "1547131046353 0 0 0 0 0 0 1\n", ":2: ", "give times in seconds"},

        Wrong{"KittiCutOff", kKitti + "1 0 0 0 0 1 0 0 0 0 1\n",
              ":2: ", "11 columns where the first line has 12"},
        Wrong{"KittiWord", kKitti + "1 0 0 0 0 1 0 0 0 0 1 -\n", ":2: ", "column 12 is '-', not a number"},
        Wrong{"KittiTooFar", kKitti + "1 0 0 0 0 1 0 -1e10 0 0 1 0\n", ":2: ", "give positions in metres"},
        Wrong{"KittiNan", kKitti + "nan 0 0 0 0 1 0 0 0 0 1 0\n", ":2: ", "column 1 is 'nan'"},
        Wrong{"KittiScaled", kKitti + "1.001 0 0 0 0 1 0 0 0 0 1 0\n", ":2: ", "not the rows of a rotation"},
        Wrong{"KittiSheared", kKitti + "1 0.01 0 0 0 1 0 0 0 0 1 0\n", ":2: ", "not the rows of a rotation"},
        Wrong{"KittiMirrored", kKitti + "1 0 0 0 0 1 0 0 0 0 -1 0\n", ":2: ", "not the rows of a rotation"},

        Wrong{"OxfordColumn", "x,y,z,roll,pitch,source_radar_timestamp\n", ":1: ", "column 'yaw' is missing"},
        Wrong{"OxfordNoHeader", "1,0,0,0,0,0,2000000,1000000\n", ":1: ", "column 'x' is missing"},
        Wrong{"OxfordCutOff", kIncrement + "1,0,0\n", ":3: ", "3 columns where the first line has 8"},
        Wrong{"OxfordEmptyColumn", kIncrement + "1,,0,0,0,0,3000000,2000000\n",
              ":3: ", "column 2 is '', not a number"},
        Wrong{"OxfordNan", kIncrement + "1,0,0,0,0,nan,3000000,2000000\n", ":3: ", "column 6 is 'nan'"},
        Wrong{"OxfordBreak", kIncrement + "1,0,0,0,0,0,4000000,3000000\n", ":3: ", "form one chain"},
        Wrong{"OxfordBackwards", kHeader + "1,0,0,0,0,0,1000000,2000000\n", ":2: ", "not later"},
        Wrong{"OxfordTooFar", kIncrement + "1e308,1e308,0,0,0,0.7,3000000,2000000\n",
              ":3: ", "the position is 1.41e+308 m away"},
        Wrong{"OxfordNanoseconds", kHeader + "1,0,0,0,0,0,1547131046353776000,2\n",
              ":2: ", "give times in microseconds"}),
    [](const auto& wrong) { return wrong.param.name; });

TEST(WrongTrajectoryFile, MissingOrAFolder) {
  const TemporaryFolder folder;
  for (const auto& file : {folder / "missing", folder.path()})
    EXPECT_TRUE(
        contains(testing::message_of([&] { read_trajectory(file); }), file.string() + ": cannot read"));
}

// Six digits are what most files have; a thousandth is refused, see KittiScaled.
TEST(WrongTrajectoryFile, RoundedRowsAreNotWrong) {
  const TemporaryFolder folder;
  write_file(folder / "rows",
             kKitti + "-0.5378 -0.8330 0.1301 0 0.8385 -0.5445 -0.0204 0 0.0878 0.0981 0.9913 0\n");
  EXPECT_EQ(read_trajectory(folder / "rows").trajectory.size(), 2u);
}

}  // namespace
}  // namespace fmbym
