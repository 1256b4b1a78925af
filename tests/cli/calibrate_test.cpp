// fmbym calibrate and --sensor: a sensor with the wrong values in, the right ones out, and used from there
// on.
#include <gtest/gtest.h>
#include <signal.h>

#include <random>

#include "cli/gate.hpp"
#include "cli/results.hpp"
#include "support/drive.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

namespace fs = std::filesystem;

// Straight ahead through a synthetic world. All rows of a scan have one time, so that there is no motion
// within.
struct StraightDrive {
  int scans = 25;
  double step = 2;  // [m] from scan to scan
  int bins = Drive::kBins;
  double range_offset = 0;  // of the sensor [m]

  SE2 T_world(int scan) const { return {step * (scan - (scans - 1) / 2.0), 0, 0}; }
};

// Things on both sides of the way, near and far.
SyntheticWorld street() {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> along(-80, 80), beside(-50, 50), strength(0.2, 0.8);
  std::vector<Reflector> reflectors;
  for (int i = 0; i < 300; ++i) {
    const Vec2 place = {along(random), beside(random)};
    reflectors.push_back({place, 0.6, strength(random)});
  }
  return SyntheticWorld(std::move(reflectors));
}

OxfordSequence write_straight(const fs::path& folder, const StraightDrive& drive = {}) {
  static const SyntheticWorld world = street();
  const OxfordSequence sequence(folder);
  std::vector<OxfordIncrement> truth;
  ScanGeometry geometry{400, drive.bins, Drive::kRangeResolution};
  geometry.first_azimuth = Drive::kAzimuthOffset;
  geometry.range_offset = drive.range_offset;
  for (int i = 0; i < drive.scans; ++i) {
    OxfordScan scan = to_oxford(world.scan(drive.T_world(i), geometry), Drive::kAzimuthOffset);
    for (std::int64_t& time : scan.time_us) time = Drive::time_us(i);
    sequence.write_scan(Drive::time_us(i), scan);
    if (i > 0) truth.push_back({Drive::time_us(i - 1), Drive::time_us(i), {drive.step, 0, 0}});
  }
  sequence.write_ground_truth(truth);
  return sequence;
}

class CalibrateCommand : public ::testing::Test {
 protected:
  Outcome calibrate(const Arguments& more = {}, const Surroundings& surroundings = {}) {
    Arguments arguments = {"calibrate", sequence_.folder(), "--output", output_, "--keep-range-offset"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, surroundings);
  }
  void refuse(const Arguments& more, std::initializer_list<std::string_view> parts) {
    const Outcome outcome = calibrate(more);
    EXPECT_EQ(outcome.exit_code, kFailed);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(last_line(outcome.err).starts_with("fmbym: ")) << outcome.err;
    expect_contains(last_line(outcome.err), parts);
    EXPECT_FALSE(fs::exists(output_));
  }

  TemporaryFolder folder_;
  OxfordSequence sequence_ = write_straight(folder_ / "sequence");
  fs::path output_ = folder_ / "sensor.json";
};

const Arguments kWrongSensor = {"--range-resolution", "0.18", "--azimuth-offset", "0", "--json"};

// To 1 % and 0.005 rad: 24 steps of 2 m, each right to a few centimetres.
void expect_right_sensor(const Json& json, double scale_tolerance = 0.01) {
  EXPECT_NEAR(json["range_resolution_m"]["value"], Drive::kRangeResolution,
              scale_tolerance * Drive::kRangeResolution);
  EXPECT_NEAR(json["azimuth_offset_rad"]["value"], Drive::kAzimuthOffset, 0.005);
}

TEST_F(CalibrateCommand, FindsTheSensorBehindWrongValues) {
  const Outcome outcome = calibrate(kWrongSensor);
  expect_done(outcome);
  const Json json = outcome.json();
  expect_right_sensor(json);
  EXPECT_EQ(json["ground_truth"], true);
  EXPECT_EQ(json["scans"], 25);
  EXPECT_EQ(json["stretches"], 12);
  EXPECT_EQ(json["range_bins"], Drive::kBins);
  EXPECT_EQ(json["range_resolution_m"]["used"], 0.18);
  EXPECT_GT(json["range_resolution_m"]["standard_error"], 0);
  EXPECT_LT(json["range_resolution_m"]["standard_error"], 0.002);
  EXPECT_EQ(json["range_offset_m"], (Json{{"value", 0.0}, {"standard_error", nullptr}, {"used", 0.0}}));
  EXPECT_EQ(json["output"], output_.string());
}

TEST_F(CalibrateCommand, PrintsWhatToUse) {
  const Outcome outcome = calibrate();
  expect_done(outcome);
  expect_contains(outcome.out,
                  {"25 scans; 12 straight stretches", "against the ground truth", "range resolution", "±",
                   "0.17520 m a bin", "range offset: not determined: as asked",
                   "Use: --range-resolution 0.17", " --azimuth-offset 0.0", output_.c_str()});
  expect_no_nan(outcome.out);
}

TEST_F(CalibrateCommand, WithoutGroundTruthSaysWhatIsNotDetermined) {
  fs::remove(sequence_.ground_truth());
  const Outcome outcome = calibrate();
  expect_done(outcome);
  expect_contains(outcome.out, {"range resolution: not determined without ground truth", "straight driving",
                                "Use: --azimuth-offset 0.0"});
  const Json json = calibrate(kWrongSensor).json();
  EXPECT_EQ(json["ground_truth"], false);
  EXPECT_EQ(json["range_resolution_m"], (Json{{"value", 0.18}, {"standard_error", nullptr}, {"used", 0.18}}));
  EXPECT_NEAR(json["azimuth_offset_rad"]["value"], Drive::kAzimuthOffset, 0.005);
}

// With it goes the range resolution: 0.3 m too far is more than 1 % in this small world.
TEST_F(CalibrateCommand, FindsTheRangeOffset) {
  const OxfordSequence offset = write_straight(folder_ / "offset", {.range_offset = -0.3});
  const Outcome outcome = run({"calibrate", offset.folder(), "--output", output_, "--json"});
  expect_done(outcome);
  expect_contains(outcome.err, {"run 1 of 6", "run 6 of 6"});
  const Json json = outcome.json();
  const double error = json["range_offset_m"]["standard_error"];
  EXPECT_LT(error, 0.15);
  EXPECT_NEAR(json["range_offset_m"]["value"], -0.3, 3 * error);
  expect_right_sensor(json);
}

TEST_F(CalibrateCommand, ARangeOffsetOutOfReachIsNotDetermined) {
  const Outcome outcome = run({"calibrate", sequence_.folder(), "--output", output_, "--range-offset", "2"});
  expect_done(outcome);
  expect_contains(outcome.out,
                  {"range offset: not determined: near and far agree nowhere from 1.40 to 2.60 m",
                   "--range-offset 2.00"});
}

TEST_F(CalibrateCommand, SequencesAreTakenTogether) {
  const OxfordSequence other = write_straight(folder_ / "other", {.scans = 19, .step = 2.5});
  const OxfordSequence blind = write_straight(folder_ / "blind", {.scans = 5});
  fs::remove(blind.ground_truth());
  Arguments more = kWrongSensor;
  more.insert(more.begin(), {other.folder(), blind.folder()});
  const Outcome outcome = calibrate(more);
  expect_done(outcome);
  expect_contains(outcome.err,
                  {"note: " + blind.folder().string() + ": left out, for it has no ground truth"});
  expect_right_sensor(outcome.json());
  EXPECT_EQ(outcome.json()["sequences"], (Json{sequence_.folder().string(), other.folder().string()}));
  EXPECT_EQ(outcome.json()["scans"], 44);
}

TEST_F(CalibrateCommand, OdometryUsesTheSensorFile) {
  expect_done(calibrate(kWrongSensor));
  const Json file = read_json(output_);
  EXPECT_EQ(file["range_bins"], Drive::kBins);
  EXPECT_EQ(file["sequences"], Json{sequence_.folder().string()});
  EXPECT_TRUE(file["made_by"].get<std::string>().starts_with("fmbym "));
  EXPECT_TRUE(file.contains("azimuth_offset_standard_error"));
  EXPECT_FALSE(file.contains("range_offset_standard_error"));

  const Arguments odometry = {"odometry", sequence_.folder(), "--output", folder_ / "out", "--resolution",
                              "127",      "--sensor",         output_};
  expect_done(run(odometry));
  const Json used = Results(folder_ / "out").config["sensor"];
  EXPECT_EQ(used["range_resolution_m"], file["range_resolution"]);
  EXPECT_EQ(used["azimuth_offset_rad"], file["azimuth_offset"]);
  EXPECT_EQ(used["range_offset_m"], 0);
}

TEST_F(CalibrateCommand, AnOptionGoesBeforeTheSensorFileWhereverItStands) {
  write_file(output_, R"({"range_resolution": 0.2, "range_offset": -0.3, "azimuth_offset": 0.5})");
  const fs::path scan = sequence_.file(Drive::time_us(0));
  for (const Arguments& order : {Arguments{"--sensor", output_, "--range-offset", "1"},
                                 Arguments{"--range-offset", "1", "--sensor", output_}}) {
    Arguments arguments = {"info", sequence_.folder(), "--json"};
    arguments.insert(arguments.end(), order.begin(), order.end());
    const Json info = run(arguments).json();
    EXPECT_EQ(info["range_resolution_m"], 0.2);
    EXPECT_EQ(info["range_offset_m"], 1);
    EXPECT_EQ(info["azimuth_offset_rad"], 0.5);
  }
  expect_done(run({"match", scan, sequence_.file(Drive::time_us(1)), "--sensor", output_}));
}

TEST_F(CalibrateCommand, ABadSensorFileIsOneLine) {
  const auto refused = [&](const std::string& contents, std::initializer_list<std::string_view> parts) {
    write_file(output_, contents);
    for (const std::string command : {"info", "odometry", "calibrate"})
      expect_failure(run({command, sequence_.folder(), "--sensor", output_}), kFailed, parts);
  };
  refused("no json", {output_.c_str(), "JSON", "; "});
  refused(R"({"range_resolution": -1})", {output_.c_str(), "range_resolution", "above 0", "found -1", "; "});
  refused(R"({"range_resolution": 0.04, "range_bins": 3768})", {"3768 range bins", "found 432", "; "});
  const fs::path missing = folder_ / "missing.json";
  expect_failure(run({"info", sequence_.folder(), "--sensor", missing}), kFailed,
                 {missing.c_str(), "cannot read", "check the path"});
}

TEST_F(CalibrateCommand, NoMotionIsAnError) {
  const OxfordSequence still = write_straight(folder_ / "still", {.scans = 20, .step = 0});
  expect_contains(last_line(run({"calibrate", still.folder(), "--output", output_}).err),
                  {still.folder().c_str(), "straight stretches", "found 0", "longer drive"});
  fs::remove(still.ground_truth());
  EXPECT_EQ(run({"calibrate", still.folder(), "--output", output_}).exit_code, kFailed);
  EXPECT_FALSE(fs::exists(output_));
}

TEST_F(CalibrateCommand, TooShortASequenceIsAnError) {
  refuse({"--count", "9"}, {sequence_.folder().c_str(), "at least 8 straight stretches", "found 4"});
  refuse({"--count", "1"}, {"at least two scans", "--count 1"});
}

TEST_F(CalibrateCommand, GroundTruthForAPartIsUsedForThatPart) {
  sequence_.write_ground_truth({{Drive::time_us(0), Drive::time_us(1), {2, 0, 0}}});
  refuse({}, {"found 0"});
}

TEST_F(CalibrateCommand, SensorsAreNotMixed) {
  const OxfordSequence wide = write_straight(folder_ / "wide", {.scans = 3, .bins = 500});
  refuse({wide.folder(), "--range-resolution", "0.2"},
         {wide.folder().c_str(), "expected 432 range bins", "found 500", "one sensor at a time"});
  refuse({sequence_.folder()}, {sequence_.folder().c_str(), "given twice"});
}

TEST_F(CalibrateCommand, InterruptedLeavesNothing) {
  const Gate gate(sequence_.file(Drive::time_us(6)));
  const auto interrupt = [&](pid_t program) { gate.open([&] { ::kill(program, SIGINT); }); };
  const Outcome outcome = calibrate({"--threads", "1"}, {.meanwhile = interrupt});
  EXPECT_EQ(outcome.exit_code, kInterrupted);
  EXPECT_EQ(outcome.out, "");
  expect_contains(last_line(outcome.err), {"interrupted", "nothing was written"});
  EXPECT_FALSE(fs::exists(output_));
}

TEST_F(CalibrateCommand, BadFilesAndPlacesAreNamed) {
  refuse({folder_ / "nowhere"}, {"nowhere", "check the path"});
  const fs::path scan = sequence_.file(Drive::time_us(5));
  write_file(scan, "");
  refuse({}, {scan.c_str(), "empty", "--skip-bad"});
  const Outcome skipped = calibrate({"--skip-bad"});
  expect_done(skipped);
  expect_contains(skipped.err, {"skipped: " + scan.string()});
  expect_failure(run({"calibrate", sequence_.folder(), "--output", folder_.path()}), kFailed,
                 {folder_.path().c_str(), "cannot write there", "--output"});
}

}  // namespace
}  // namespace fmbym::testing
