#include "fmbym/report/html_report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "decoded_png.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"
#include "fmbym/odometry/config.hpp"
#include "report/base64.hpp"
#include "report/grey_png.hpp"
#include "support/expect_error.hpp"
#include "support/report_page.hpp"
#include "support/temporary_folder.hpp"
#include "synthetic_pair.hpp"

namespace fmbym {
namespace {

using nlohmann::json;
using testing::data_of;
using testing::DecodedPng;

constexpr int kPoses = 111;

// Four times a second.
Trajectory drive(const Twist2& step, int poses = kPoses) {
  Trajectory trajectory;
  SE2 T_world_curr;
  for (int i = 0; i < poses; ++i, T_world_curr = T_world_curr * SE2::exp(step)) {
    trajectory.time_ns.push_back(1'500'000'000'000'000'000 + i * std::int64_t{250'000'000});
    trajectory.T_world.push_back(to_spatial(T_world_curr));
  }
  return trajectory;
}

Trajectory without_times(Trajectory trajectory) {
  trajectory.time_ns.clear();
  return trajectory;
}

ReportRun run_of(const Trajectory& estimate) {
  ReportRun run;
  run.name = "a run";
  run.estimate = estimate;
  return run;
}

Report report_of(const Trajectory& truth, const Trajectory& estimate) {
  Report report;
  report.title = "a drive";
  report.truth = truth;
  report.runs = {run_of(estimate)};
  return report;
}

json data_of_report(const Report& report) {
  return data_of(html_report(report));
}

json only_run(const Report& report) {
  return data_of_report(report)["runs"].at(0);
}

ReportScan scan_with_sigmas(double x, double y, double yaw) {
  ReportScan scan;
  scan.match.covariance = {{{x * x, 0, 0}, {0, y * y, 0}, {0, 0, yaw * yaw}}};
  scan.match.reliable = true;
  return scan;
}

TEST(HtmlReport, NeedsNothingFromElsewhere) {
  const std::string page = html_report(report_of(drive({2, 0, 0}), drive({2, 0, 0})));
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_EQ(testing::count_of(page, "https://"), 0u);
  EXPECT_EQ(testing::count_of(page, "http://"), testing::count_of(page, "http://www.w3.org/"));  // names only
  for (const char* part : {"@import", "<link", "src=\"http", "url(http", "fetch(", "{{"})
    EXPECT_EQ(testing::count_of(page, part), 0u) << part;
  EXPECT_EQ(testing::count_of(page, "default-src 'none'"), 1u);
}

TEST(HtmlReport, OnePercentTooLongIsOnePercentEverywhere) {
  const json run = only_run(report_of(drive({2, 0, 0}), drive({2.02, 0, 0})));
  EXPECT_NEAR(run["kitti"]["translation"].get<double>(), 1, 0.03);  // a segment is up to 2 m longer
  EXPECT_EQ(run["kitti"]["by_length"].size(), 2u);
  EXPECT_EQ(run["kitti"]["by_length"][1]["length"], 200);
  for (const json& percent : run["segments"]["translation"]) EXPECT_NEAR(percent.get<double>(), 1, 0.03);
  EXPECT_EQ(run["segments"]["start"][1], 8);  // every fourth pose starts a segment
  EXPECT_EQ(run["segments"]["t"][1], 1);
  EXPECT_EQ(run["error"][0], 0);
  EXPECT_EQ(run["error"][kPoses - 1], 2.2);  // of 220 m
  EXPECT_EQ(run["speed"][0], nullptr);
  EXPECT_EQ(run["speed"][1], 8.08);
  EXPECT_EQ(run["yaw_rate"][5], 0);
}

TEST(HtmlReport, YawIsClockwiseInDegrees) {
  const double degree = std::numbers::pi / 180;
  const json data = data_of_report(report_of(drive({2, 0, degree}), drive({2, 0, 1.5 * degree})));
  EXPECT_EQ(data["truth"]["yaw_rate"][7], 4);
  EXPECT_EQ(data["runs"][0]["yaw_rate"][7], 6);
  EXPECT_EQ(data["runs"][0]["yaw_error"][10], 5);
  EXPECT_GT(data["truth"]["y"][30], 1) << "a turn to the right goes to the right";
}

TEST(HtmlReport, TheWorldOfAnEstimateDoesNotMatter) {
  const Trajectory truth = drive({2, 0, 0.01}), estimate = drive({2.02, 0.01, 0.011});
  Trajectory moved = estimate;
  for (auto& pose : moved.T_world) pose = to_spatial({620'000, -5'735'000, 2}) * pose;
  const json here = only_run(report_of(truth, estimate)), there = only_run(report_of(truth, moved));
  for (const char* member : {"x", "y", "error", "yaw_error"})
    for (std::size_t i = 0; i < kPoses; ++i)
      EXPECT_NEAR(here[member][i].get<double>(), there[member][i].get<double>(), 0.011) << member;
}

TEST(HtmlReport, MeasuresErrorsInTheirStandardDeviations) {
  Report report = report_of(drive({2, 0, 0}), drive({2.1, 0, 0}));
  report.runs[0].scans.assign(kPoses, scan_with_sigmas(0.05, 0.1, 0.01));
  const json normalised = only_run(report)["normalised"];
  EXPECT_EQ(normalised["count"], kPoses - 1);
  EXPECT_EQ(normalised["x"]["error"][0], nullptr);
  EXPECT_EQ(normalised["x"]["error"][1], 2);
  EXPECT_EQ(normalised["y"]["error"][1], 0);
  EXPECT_EQ(normalised["x"]["within"][0], 0);
  EXPECT_EQ(normalised["x"]["within"][2], 1);
  EXPECT_EQ(normalised["yaw"]["within"][0], 1);
  EXPECT_NEAR(normalised["mean_square"].get<double>(), 4.0 / 3, 0.001);
}

TEST(HtmlReport, ACovarianceThatIsNoneIsLeftOut) {
  Report report = report_of(drive({2, 0, 0}), drive({2.1, 0, 0}));
  report.runs[0].scans.assign(kPoses, scan_with_sigmas(0, 0, 0));
  EXPECT_EQ(only_run(report)["normalised"], nullptr);
  report.runs[0].scans[3] = scan_with_sigmas(NAN, 1, 1);
  report.runs[0].scans[4] = scan_with_sigmas(0.1, 1, 1);
  EXPECT_EQ(only_run(report)["normalised"]["count"], 1);
}

TEST(HtmlReport, WithoutGroundTruthHasNoErrors) {
  Report report = report_of({}, drive({2, 0, 0}));
  report.runs[0].scans.assign(kPoses, scan_with_sigmas(0.1, 0.1, 0.1));
  const json data = data_of_report(report);
  EXPECT_EQ(data["truth"], nullptr);
  for (const char* member : {"kitti", "ate", "segments", "normalised"})
    EXPECT_EQ(data["runs"][0][member], nullptr) << member;
  EXPECT_TRUE(data["runs"][0]["error"].empty());
  EXPECT_EQ(data["runs"][0]["x"].size(), std::size_t{kPoses});
}

TEST(HtmlReport, ATruthOfSomePosesIsAllThatIsCompared) {
  Trajectory truth = drive({2, 0, 0});
  truth.time_ns.erase(truth.time_ns.begin() + 40, truth.time_ns.begin() + 50);
  truth.T_world.erase(truth.T_world.begin() + 40, truth.T_world.begin() + 50);
  Report report = report_of(truth, drive({2.02, 0, 0}));
  report.runs[0].scans.assign(kPoses, scan_with_sigmas(0.1, 0.1, 0.1));
  const json data = data_of_report(report), run = data["runs"][0];
  EXPECT_EQ(data["truth"]["t"].size(), std::size_t{kPoses - 10});
  EXPECT_EQ(run["error"][45], nullptr);
  EXPECT_EQ(run["error"][50], 1);
  EXPECT_EQ(run["normalised"]["x"]["error"][50], nullptr) << "the scan before has no true pose";
  EXPECT_EQ(run["normalised"]["count"], kPoses - 12);
}

TEST(HtmlReport, WithoutTimesCountsPoses) {
  const json data =
      data_of_report(report_of(without_times(drive({2, 0, 0})), without_times(drive({2.02, 0, 0}))));
  EXPECT_EQ(data["timed"], false);
  EXPECT_EQ(data["runs"][0]["t"][7], 7);
  EXPECT_EQ(data["runs"][0]["speed"][7], 2.02);  // a pose
}

TEST(HtmlReport, RunsOfOneDriveShareItsTruth) {
  Report report = report_of(drive({2, 0, 0}), drive({2.02, 0, 0}));
  report.runs.push_back(run_of(drive({2.04, 0, 0}, 60)));
  const json data = data_of_report(report);
  EXPECT_EQ(data["truth"]["t"].size(), std::size_t{kPoses});
  EXPECT_EQ(data["runs"][1]["error"].size(), 60u);
  EXPECT_LT(data["runs"][0]["kitti"]["translation"], data["runs"][1]["kitti"]["translation"]);
}

TEST(HtmlReport, TimesOfStagesLeaveTheFirstScanOut) {
  Report report = report_of({}, drive({2, 0, 0}, 3));
  report.runs[0].scans.resize(3);
  report.runs[0].scans[0].image_ms = 900;
  for (int i : {1, 2}) report.runs[0].scans[static_cast<std::size_t>(i)].match_ms = i;
  const json stages = only_run(report)["stages"];
  EXPECT_EQ(stages["image"]["p95"], 0);
  EXPECT_EQ(stages["total"]["p95"], 2);
  EXPECT_EQ(stages["each"], json({nullptr, 1, 2}));
}

// Names of files are the user's, and any bytes: none may end the script or the title.
TEST(HtmlReport, AnyTextStaysText) {
  const std::string wicked = R"(</script><script>alert("1")</script><!-- & 'a' {{data}} \)";
  Report report = report_of({}, drive({2, 0, 0}, 3));
  const std::size_t scripts = testing::count_of(html_report(report), "</script");
  report.title = report.command = report.runs[0].name = wicked;
  report.runs[0].config_json = json{{"model", wicked}}.dump();
  const std::string page = html_report(report);
  EXPECT_EQ(testing::count_of(page, "</script"), scripts);
  EXPECT_EQ(testing::count_of(page, "<script>alert"), 0u);
  EXPECT_NE(page.find("<title>&lt;/script&gt;&lt;script&gt;"), std::string::npos);
  const json data = data_of(page);
  EXPECT_EQ(data["title"], wicked);
  EXPECT_EQ(data["command"], wicked);
  EXPECT_EQ(data["runs"][0]["name"], wicked);
  EXPECT_EQ(data["runs"][0]["config"]["model"], wicked);
}

TEST(HtmlReport, BytesThatAreNoTextAreReplaced) {
  Report report = report_of({}, drive({2, 0, 0}, 3));
  report.title = report.runs[0].name = "caf\xe9";
  EXPECT_EQ(data_of_report(report)["title"], "caf\xef\xbf\xbd");
}

TEST(HtmlReport, SaysWhatIsMissing) {
  using testing::error_of;
  EXPECT_NE(error_of([] { html_report({}); }).find("no run"), std::string::npos);
  const auto complaint = [](const auto& change) {
    Report report = report_of({}, drive({2, 0, 0}, 3));
    change(report.runs[0]);
    return error_of([&] { html_report(report); });
  };
  EXPECT_NE(complaint([](ReportRun& run) { run.estimate = {}; }).find("no pose"), std::string::npos);
  EXPECT_NE(complaint([](ReportRun& run) { run.scans.resize(2); }).find("3 poses and 2 scans"),
            std::string::npos);
  for (const char* text : {"", "[]", "{\"a\":"})
    EXPECT_NE(complaint([&](ReportRun& run) { run.config_json = text; }).find("no JSON object"),
              std::string::npos);
}

TEST(HtmlReport, IsWrittenWholeOrNotAtAll) {
  const testing::TemporaryFolder folder;
  const Report report = report_of({}, drive({2, 0, 0}, 3));
  write_html_report(folder / "report.html", report);
  EXPECT_EQ(read_file(folder / "report.html"), html_report(report));
  EXPECT_THROW(write_html_report(folder / "none/report.html", report), Error);
}

TEST(SampleScans, AreSpreadEvenlyAndNeverTheFirst) {
  EXPECT_TRUE(sample_scans(0).empty());
  EXPECT_TRUE(sample_scans(1).empty());
  EXPECT_EQ(sample_scans(2), (std::vector<std::size_t>{1}));
  EXPECT_EQ(sample_scans(5), (std::vector<std::size_t>{1, 2, 3, 4}));
  for (const std::size_t scans : {13u, 14u, 100u, 8867u}) {
    const auto samples = sample_scans(scans);
    ASSERT_EQ(samples.size(), 12u);
    EXPECT_EQ(samples.front(), 1u);
    EXPECT_EQ(samples.back(), scans - 1);
    for (std::size_t i = 1; i < samples.size(); ++i)
      EXPECT_NEAR(double(samples[i] - samples[i - 1]), double(scans - 2) / 11, 1);
  }
}

TEST(GreyPng, KeepsBrightnessToItsLevels) {
  const auto brightness = [](int row, int column) { return row == 0 ? NAN : row == 4 ? 7 : column / 4.0; };
  const DecodedPng png(report::grey_png(5, brightness));
  EXPECT_EQ(png.width, 5);
  for (int c = 0; c < 5; ++c) {
    EXPECT_EQ(png.at(0, c) & 0xff, 0u);
    EXPECT_EQ(png.at(4, c) & 0xff, 255u);
    EXPECT_NEAR(png.at(2, c) & 0xff, 255 * c / 4.0, 255 / 63.0 / 2 + 1);
  }
}

TEST(Base64, IsThatOfTheStandard) {  // RFC 4648, section 10
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : examples) EXPECT_EQ(report::base64(bytes), text);
  EXPECT_EQ(report::base64("\xff\xfe\xfd"), "//79");
}

class Frame : public ::testing::Test {
 protected:
  ReportFrame frame(const Image* current_mask = nullptr, const Image* previous_mask = nullptr) const {
    return make_report_frame(3, {current_, previous_, match_, evidence_, "", current_mask, previous_mask});
  }

  testing::Place place_;
  Image current_ = place_.seen_from({2, 0.4, 0.05}), previous_ = place_.seen_from({});
  std::unique_ptr<Matcher> matcher_ = make_matcher(make_config(Method::f_raw, Preset::standard, 127));
  Match match_ = matcher_->match(current_, previous_);
  MatchEvidence evidence_ = matcher_->evidence();
};

TEST_F(Frame, HasPicturesOfBothScansAndOfTheSurface) {
  const ReportFrame made = frame();
  EXPECT_EQ(DecodedPng(made.current).width, 127);
  EXPECT_NE(made.current, made.reference);
  EXPECT_EQ(made.current_mask, "");
  EXPECT_NEAR(made.reach_m, 127 * 0.8 / 2, 1e-9);
  const DecodedPng surface(made.surface.scores);
  const double metres = 2 * made.surface.reach_m / surface.width;
  const int row = static_cast<int>((made.surface.reach_m - made.surface.shift.x) / metres);
  const int column = static_cast<int>((made.surface.reach_m + made.surface.shift.y) / metres);
  EXPECT_GT(surface.at(row, column) & 0xff, 200u) << "the shift is read off near the top of the surface";
  EXPECT_EQ(made.yaw.size(), made.yaw_score.size());
  EXPECT_FALSE(made.yaw.empty());
}

TEST_F(Frame, ShowsMasksAsTheyAre) {
  Image half(127, 0.8);
  for (float& keep : half.pixels()) keep = 0.5F;
  const DecodedPng mask(frame(&half, &half).current_mask);
  EXPECT_NEAR(mask.at(60, 60) & 0xff, 127.5, 3);
}

TEST_F(Frame, OfALargeImageIsAveragedDown) {
  current_ = previous_ = Image(511, 0.2);
  current_.at(0, 0) = 1;
  EXPECT_EQ(DecodedPng(frame().current).width, 256);
}

TEST_F(Frame, WithoutEvidenceHasNoSurface) {
  evidence_ = {};
  EXPECT_EQ(frame().surface.scores, "");
  EXPECT_TRUE(frame().yaw.empty());
}

TEST_F(Frame, StandsInThePageWithItsMotion) {
  Report report = report_of({}, drive({2, 0.5, 0}, 5));
  report.runs[0].scans.assign(5, scan_with_sigmas(0.1, 0.2, 0.01));
  report.runs[0].frames = {frame()};
  const json shown = only_run(report)["frames"][0];
  EXPECT_EQ(shown["scan"], 3);
  EXPECT_EQ(shown["t"], 0.75);
  EXPECT_EQ(shown["motion"]["x"], 2);
  EXPECT_EQ(shown["motion"]["y"], 0.5);
  EXPECT_EQ(shown["motion"]["sigma"][1], 0.2);
  EXPECT_TRUE(shown["current"].get<std::string>().starts_with("data:image/png;base64,iVBOR"));
  EXPECT_EQ(shown["current_mask"], nullptr);
}

}  // namespace
}  // namespace fmbym
