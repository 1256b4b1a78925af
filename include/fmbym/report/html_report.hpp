// One page about one or more runs over the same drive: a single HTML file that needs no network, with plots,
// sample scans, the configuration and the command. What is not known (ground truth, covariances, times) is
// left out of the page.
//
//   fmbym::Report report{.title = "a drive", .truth = truth};
//   report.runs.push_back({.name = "f-raw", .estimate = trajectory});
//   fmbym::write_html_report("report.html", report);
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fmbym/core/se2.hpp"
#include "fmbym/evaluation/metrics.hpp"
#include "fmbym/evaluation/trajectory.hpp"
#include "fmbym/report/match_picture.hpp"

namespace fmbym {

// What odometry knows of a scan beside its pose.
struct ReportScan {
  Match match;           // covariance, peaks and reliability of the motion since the scan before
  bool bridged = false;  // the motion is a prediction
  double decode_ms = 0, image_ms = 0, mask_ms = 0, match_ms = 0;
};

// A sample of what was matched and why. Pictures are kept as PNG files: small enough for a page, and for the
// memory during a run.
struct ReportFrame {
  std::size_t scan = 0;                      // in the run's trajectory
  double reach_m = 0;                        // from the sensor to the edge of the images
  std::string current, reference;            // PNG
  std::string current_mask, reference_mask;  // PNG; empty where there was no mask

  struct Surface {
    std::string scores;        // PNG, from the lowest score, black, to the highest; empty where there is none
    double reach_m = 0;        // from no shift, in the middle, to the edge
    double low = 0, high = 0;  // correlation coefficients
    Vec2 shift;                // where the translation was read off: forward, right [m]
  };
  Surface surface;
  std::vector<double> yaw, yaw_score;  // candidates [rad] and their scores; empty where there are none
};

// The title of the picture is not used.
ReportFrame make_report_frame(std::size_t scan, const MatchPicture& picture);

// `count` of `scans` scans, evenly spread, never the first, which has nothing to be matched with; ascending,
// and fewer where there are not so many.
std::vector<std::size_t> sample_scans(std::size_t scans, std::size_t count = 12);

struct ReportRun {
  std::string name;
  Trajectory estimate;              // with times or without, but all runs alike
  std::vector<ReportScan> scans;    // one a pose, or none where only the trajectory is known
  std::vector<ReportFrame> frames;  // in the order of their scans
  std::optional<double> hz;         // scans a second of the whole run
  std::string config_json = "{}";   // an object, shown as a table
  std::string summary_json = "{}";  // likewise
};

struct Report {
  std::string title;    // what was driven: the name of the sequence or of the ground truth's file
  std::string command;  // that made it
  std::string version;  // of the program
  Trajectory truth;     // empty where there is none
  KittiOptions kitti;   // how segments are measured
  std::vector<ReportRun> runs;
};

// The page. Any bytes may stand in names and paths. Throws Error when there is no run, when a run has no pose
// or not one ReportScan a pose, when its poses cannot be associated with the truth, or when a JSON text is
// none.
std::string html_report(const Report& report);

// Whole or not at all. Throws Error naming the file when it can't be written.
void write_html_report(const std::filesystem::path& file, const Report& report);

}  // namespace fmbym
