// The numbers behind the plots of a report.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "fmbym/report/html_report.hpp"

namespace fmbym::report {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// A path and how fast it was driven, a value a pose. Without times, seconds are scans: t counts poses, speed
// is metres a scan.
struct PathSeries {
  std::vector<double> t;         // since the beginning of the drive [s]
  std::vector<double> x, y;      // in the frame of the first true pose, or of the run's own first [m]
  std::vector<double> speed;     // since the pose before [m/s]; the first is unknown
  std::vector<double> yaw_rate;  // clockwise [°/s]; likewise
};

// Errors of the motion from scan to scan over the standard deviations odometry gave for them.
struct NormalisedErrors {
  std::array<std::vector<double>, 3> error;       // x, y, yaw; a value a pose, unknown without a true motion
  std::array<std::array<double, 3>, 3> within{};  // share of x, y, yaw within 1, 2, 3 standard deviations
  double mean_square = 0;  // of all three, correlations included: 1 where the covariance is right
  std::size_t count = 0;
};

// The 100 m segments of the KITTI metric.
struct SegmentSeries {
  std::vector<double> t;        // of the start [s]
  std::vector<double> start_m;  // along the true path
  std::vector<double> translation_percent, rotation_deg_per_km;
};

struct RunSeries {
  PathSeries path;
  // Against the ground truth, the first common pose aligned; a value a pose, unknown without a true pose.
  std::vector<double> error_m, yaw_error_deg;
  std::optional<NormalisedErrors> normalised;
  std::optional<SegmentSeries> segments;
  std::optional<KittiScore> kitti;
  std::optional<double> ate_m;
};

struct ReportSeries {
  bool timed = false;
  std::optional<PathSeries> truth;  // those true poses that some run has a pose for
  std::vector<RunSeries> runs;
};

// Throws Error as html_report does.
ReportSeries series_of(const Report& report);

}  // namespace fmbym::report
