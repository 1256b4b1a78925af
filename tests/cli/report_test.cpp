// --report: a page that the program makes, and that a browser opens.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <regex>

#include "cli/gate.hpp"
#include "cli/results.hpp"
#include "fmbym/masking/mask_model.hpp"
#include "support/drive.hpp"
#include "support/report_page.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

namespace fs = std::filesystem;

class ReportOption : public ::testing::Test {
 protected:
  Outcome odometry(const Arguments& more = {}, const Surroundings& surroundings = {}) {
    Arguments arguments = {"odometry", sequence_.folder(), "--output", output_,    "--resolution",
                           "127",      "--threads",        "1",        "--report", page_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, surroundings);
  }
  // A drive of 111 poses, 2 m each times `scale`.
  fs::path trajectory(const fs::path& name, double scale) {
    Trajectory drive;
    for (int i = 0; i < 111; ++i) {
      drive.time_ns.push_back(1'500'000'000'000'000'000 + i * std::int64_t{250'000'000});
      drive.T_world.push_back(to_spatial(SE2::exp({2 * scale * i, 0, 0.01 * i})));
    }
    fs::create_directories((folder_ / name).parent_path());
    write_trajectory(folder_ / name, drive, TrajectoryFormat::tum);
    return folder_ / name;
  }
  Outcome evaluate(const std::vector<fs::path>& estimates, const Arguments& more = {}) {
    Arguments arguments = {"evaluate", "--groundtruth", trajectory("truth.txt", 1)};
    for (const fs::path& estimate : estimates) arguments.insert(arguments.end(), {"--estimate", estimate});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  Json data() const { return data_of(read_file(page_)); }

  TemporaryFolder folder_;
  Drive drive_{.scans = 12, .azimuths = 100};
  OxfordSequence sequence_ = write_drive(folder_ / "sequence", drive_);
  fs::path output_ = folder_ / "out", page_ = folder_ / "page.html";
};

TEST_F(ReportOption, TellsWhatTheRunDid) {
  const Outcome outcome = odometry();
  expect_done(outcome);
  expect_contains(outcome.out, {"report in " + page_.string()});
  const Json page = data(), only = page["runs"].at(0);
  const Results found(output_);
  EXPECT_EQ(page["title"], "sequence");
  expect_contains(page["command"].get<std::string>(), {"fmbym odometry", "--resolution 127", "--report"});
  EXPECT_EQ(only["name"], "f-raw at 127, default preset");
  EXPECT_EQ(only["scans"], 12);
  EXPECT_EQ(page["truth"]["t"].size(), 12u);
  EXPECT_EQ(only["config"], found.config);
  EXPECT_EQ(only["summary"]["ate_m"], found.summary["ate_m"]);
  EXPECT_NEAR(only["ate"].get<double>(), found.summary["ate_m"].get<double>(), 1e-4);
  EXPECT_EQ(only["normalised"]["count"], 11);
  EXPECT_GT(only["stages"]["match"]["median"], 0);
  EXPECT_EQ(only["frames"].size(), 11u);  // every scan that was matched, for there are fewer than twelve
  EXPECT_EQ(only["frames"][0]["current_mask"], nullptr);
}

TEST_F(ReportOption, ShowsMasksWhereThereAreAny) {
  write_model(folder_ / "model.safetensors", random_model(1, 127));
  expect_done(odometry({"--method", "f-mbym", "--model", folder_ / "model.safetensors", "--count", "3"}));
  const Json only = data()["runs"].at(0);
  EXPECT_EQ(only["frames"].size(), 2u);
  EXPECT_TRUE(only["frames"][1]["current_mask"].is_string());
  EXPECT_TRUE(only["frames"][1]["reference_mask"].is_string());
  EXPECT_EQ(only["config"]["model"]["file"], (folder_ / "model.safetensors").string());
}

TEST_F(ReportOption, MayStandAmongTheResults) {
  page_ = output_ / "report.html";
  expect_done(odometry());
  EXPECT_EQ(data()["runs"].size(), 1u);
}

TEST_F(ReportOption, LeavesErrorsOutWithoutGroundTruth) {
  fs::remove(sequence_.ground_truth());
  expect_done(odometry());
  EXPECT_EQ(data()["truth"], nullptr);
  EXPECT_EQ(data()["runs"][0]["kitti"], nullptr);
}

TEST_F(ReportOption, IsRefusedBeforeTheWork) {
  for (const fs::path& page : {folder_ / "no/such/page.html", folder_.path(), fs::path("/proc/page.html")}) {
    page_ = page;
    expect_failure(odometry(), kFailed, {"--report " + page.string(), "cannot write there", "; "});
    expect_no_files(output_);
    expect_failure(evaluate({trajectory("a.txt", 1.01)}, {"--report", page}), kFailed,
                   {"--report " + page.string(), "cannot write there", "; "});
  }
}

TEST_F(ReportOption, OnAFullDiskLeavesTheResultsAndNoPage) {
  const Outcome outcome = odometry({}, {.largest_file = 20'000});
  EXPECT_EQ(outcome.exit_code, kFailed);
  EXPECT_EQ(outcome.out, "");
  expect_contains(last_line(outcome.err), {page_.string(), "cannot write"});
  EXPECT_FALSE(fs::exists(page_));
  EXPECT_EQ(Results(output_).summary["scans"], 12);
}

TEST_F(ReportOption, OfAnInterruptedRunIsOfItsBeginning) {
  const Gate gate(sequence_.file(Drive::time_us(4)));
  const auto interrupt = [&](pid_t program) { gate.open([&] { ::kill(program, SIGINT); }); };
  EXPECT_EQ(odometry({}, {.meanwhile = interrupt}).exit_code, kInterrupted);
  EXPECT_EQ(data()["runs"][0]["scans"], 5);
  EXPECT_EQ(data()["runs"][0]["summary"]["interrupted"], true);
}

TEST_F(ReportOption, ComparesEstimates) {
  const fs::path a = trajectory("a.txt", 1.01), b = trajectory("b.txt", 1.02);
  expect_done(evaluate({a, b}, {"--report", page_}));
  const Json runs = data()["runs"];
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0]["name"], "a.txt");
  EXPECT_NEAR(runs[0]["kitti"]["translation"].get<double>(), 1, 0.1);
  EXPECT_NEAR(runs[1]["kitti"]["translation"].get<double>(), 2, 0.1);
  EXPECT_EQ(runs[1]["normalised"], nullptr);
  EXPECT_TRUE(runs[1]["frames"].empty());
}

TEST_F(ReportOption, NamesEstimatesAsShortlyAsTheyDiffer) {
  const fs::path a = trajectory("one/t.txt", 1.01), b = trajectory("two/t.txt", 1.02);
  expect_done(evaluate({a, b}, {"--report", page_}));
  EXPECT_EQ(data()["runs"][1]["name"], b.parent_path().string());
  expect_done(evaluate({a, a}, {"--report", page_}));
  EXPECT_EQ(data()["runs"][1]["name"], a.string());
}

TEST_F(ReportOption, SeveralEstimatesAreATableAndAList) {
  const fs::path a = trajectory("a.txt", 1.01), b = trajectory("b.txt", 1.02);
  const Outcome text = evaluate({a, b});
  expect_done(text);
  expect_contains(text.out, {"°/km", "ATE", a.c_str(), b.c_str()});
  const Json list = evaluate({a, b}, {"--json"}).json(), one = evaluate({b}, {"--json"}).json();
  ASSERT_EQ(list["estimates"].size(), 2u);
  EXPECT_EQ(list["estimates"][1]["file"], b.string());
  for (const char* member : {"kitti", "ate_m", "poses", "distance_m"})
    EXPECT_EQ(list["estimates"][1][member], one[member]) << member;
}

// ---- In a browser

fs::path chromium() {
  for (const char* name : {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"})
    if (::access(name, X_OK) == 0) return name;
  return {};
}

#define FMBYM_NEEDS_CHROMIUM() \
  if (chromium().empty()) GTEST_SKIP() << "needs Chromium (cmake/packages-tests.txt)"

class InABrowser : public ReportOption {
 protected:
  // The page as the browser has it in the end, after `script` ran in it. Expects that nothing went wrong.
  std::string opened(const std::string& script = "") {
    const std::string page = read_file(page_);
    const fs::path copy = folder_ / "opened.html";
    write_file(copy, page.substr(0, page.rfind("</body>")) + "<script>" + script + "</script></body></html>");
    const Outcome outcome =
        run({"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--enable-logging=stderr", "--user-data-dir=" + (folder_ / "browser").string(),
             "--window-size=1200,900", "--virtual-time-budget=2000", "--dump-dom", "file://" + copy.string()},
            {.program = chromium()});
    expect_done(outcome);
    EXPECT_EQ(outcome.err.find("CONSOLE"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out.find("data-errors"), std::string::npos) << outcome.out.substr(0, 500);
    EXPECT_NE(outcome.out.find("data-ready"), std::string::npos) << "it was not drawn to the end";
    return outcome.out;
  }
  // Lines and clouds of dots with at least so many points.
  static std::size_t drawn(const std::string& page, std::ptrdiff_t points) {
    static const std::regex path(R"re(<path class="(?:line|dots)" d="([^"]*)")re");
    std::size_t count = 0;
    for (std::sregex_iterator it(page.begin(), page.end(), path), end; it != end; ++it) {
      const std::string d = (*it)[1];
      EXPECT_EQ(d.find("NaN"), std::string::npos) << d;
      count += std::count_if(d.begin(), d.end(), [](char c) { return c == 'M' || c == 'L'; }) >= points;
    }
    return count;
  }
  static bool has_section(const std::string& page, const std::string& id) {
    return page.find("<section id=\"" + id + "\"") != std::string::npos;
  }
};

TEST_F(InABrowser, ARunIsDrawn) {
  FMBYM_NEEDS_CHROMIUM();
  expect_done(odometry());
  const std::string page = opened();
  // Map: 2; errors: 2; speed and yaw rate: 4; covariance: 3; time: 1. All but the first scan at least.
  EXPECT_GE(drawn(page, 11), 12u);
  for (const char* id : {"trajectory", "errors", "motion", "covariance", "time", "samples", "configuration"})
    EXPECT_TRUE(has_section(page, id)) << id;
  EXPECT_GE(count_of(page, "src=\"data:image/png"), 3u);
}

TEST_F(InABrowser, WithoutGroundTruthTheRestIsDrawn) {
  FMBYM_NEEDS_CHROMIUM();
  fs::remove(sequence_.ground_truth());
  expect_done(odometry());
  const std::string page = opened();
  EXPECT_GE(drawn(page, 11), 4u);
  for (const char* id : {"errors", "covariance"}) EXPECT_FALSE(has_section(page, id)) << id;
  for (const char* id : {"trajectory", "motion", "time", "samples"}) EXPECT_TRUE(has_section(page, id)) << id;
  expect_contains(page, {"No ground truth"});
}

TEST_F(InABrowser, RunsAreDrawnSideBySide) {
  FMBYM_NEEDS_CHROMIUM();
  const fs::path wicked = trajectory("a <b> & \"c\" <script>.txt", 1.01);
  expect_done(evaluate({wicked, trajectory("b.txt", 1.02)}, {"--report", page_}));
  const std::string page = opened();
  // Of either run: map, by length and along the path twice each, two errors, speed and yaw rate.
  EXPECT_GE(drawn(page, 2), 2 * 9u);
  EXPECT_FALSE(has_section(page, "samples"));
  EXPECT_EQ(count_of(page, "<b> &"), 0u);
  expect_contains(page, {"a &lt;b&gt; &amp; \"c\" &lt;script&gt;.txt"});
}

// The moment under the pointer is marked in every plot over the drive.
TEST_F(InABrowser, PointingAtOnePlotMarksAll) {
  FMBYM_NEEDS_CHROMIUM();
  expect_done(evaluate({trajectory("a.txt", 1.01)}, {"--report", page_}));
  const std::string page = opened(R"(
    const plot = document.querySelector("#motion svg.canvas"), box = plot.getBoundingClientRect();
    plot.dispatchEvent(new PointerEvent("pointermove",
        { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 }));)");
  // Map, speed and yaw rate with the truth: 2 each; two plots along the path and two of the errors: 1 each.
  EXPECT_EQ(count_of(page, "class=\"spot\""), 10u);
  expect_contains(page, {"8.08 m/s", "8.00 m/s"});
}

TEST_F(InABrowser, TheSliderGoesThroughTheSamples) {
  FMBYM_NEEDS_CHROMIUM();
  expect_done(odometry());
  const std::string page = opened(R"(
    const slider = document.getElementById("sample");
    slider.value = 2;
    slider.dispatchEvent(new Event("input"));)");
  expect_contains(page, {"aria-valuetext=\"scan 3, 0.8 s\""});
}

}  // namespace
}  // namespace fmbym::testing
