#include "report/report_payload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "fmbym/core/error.hpp"
#include "report/base64.hpp"
#include "report/panels.hpp"
#include "report/run_series.hpp"

namespace fmbym::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kDegrees = 180 / std::numbers::pi;

// A number with so many decimals; null for what is not known.
Json rounded(double value, int decimals) {
  if (!std::isfinite(value)) return nullptr;
  const double scale = std::pow(10, decimals);
  const double result = std::round(value * scale) / scale;
  return result == 0 ? 0.0 : result;  // no minus before zero
}

Json rounded(const std::vector<double>& values, int decimals) {
  Json list = Json::array();
  for (const double value : values) list.push_back(rounded(value, decimals));
  return list;
}

Json data_uri(const std::string& png) {
  return png.empty() ? Json(nullptr) : Json("data:image/png;base64," + base64(png));
}

Json path_json(const PathSeries& path) {
  return {{"t", rounded(path.t, 3)},
          {"x", rounded(path.x, 2)},
          {"y", rounded(path.y, 2)},
          {"speed", rounded(path.speed, 3)},
          {"yaw_rate", rounded(path.yaw_rate, 3)}};
}

Json kitti_json(const std::optional<KittiScore>& kitti) {
  if (!kitti) return nullptr;
  const auto error_json = [](const KittiScore::Error& error) -> Json {
    return {{"translation", rounded(error.translation_percent, 4)},
            {"rotation", rounded(error.rotation_deg_per_km, 4)},
            {"segments", error.segments}};
  };
  Json json = error_json(kitti->mean);
  json["by_length"] = Json::array();
  for (const auto& [length, error] : kitti->by_length) {
    json["by_length"].push_back(error_json(error));
    json["by_length"].back()["length"] = length;
  }
  return json;
}

Json segments_json(const std::optional<SegmentSeries>& segments) {
  if (!segments) return nullptr;
  return {{"t", rounded(segments->t, 3)},
          {"start", rounded(segments->start_m, 1)},
          {"translation", rounded(segments->translation_percent, 3)},
          {"rotation", rounded(segments->rotation_deg_per_km, 3)}};
}

Json normalised_json(const std::optional<NormalisedErrors>& normalised) {
  if (!normalised) return nullptr;
  Json json = {{"mean_square", rounded(normalised->mean_square, 3)}, {"count", normalised->count}};
  constexpr std::array<const char*, 3> axes = {"x", "y", "yaw"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Json shares = Json::array();
    for (const double share : normalised->within[axis]) shares.push_back(rounded(share, 4));
    json[axes[axis]] = {{"error", rounded(normalised->error[axis], 2)}, {"within", shares}};
  }
  return json;
}

Json quantiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double q) {
    return rounded(values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5)], 3);
  };
  return {{"median", at(0.5)}, {"p95", at(0.95)}};
}

// Over all scans but the first, which has nothing to be matched with.
Json stages_json(const ReportRun& run) {
  if (run.scans.size() < 2) return nullptr;
  std::array<std::vector<double>, 5> ms;
  for (std::size_t i = 1; i < run.scans.size(); ++i) {
    const ReportScan& scan = run.scans[i];
    const std::array<double, 4> stages = {scan.decode_ms, scan.image_ms, scan.mask_ms, scan.match_ms};
    for (std::size_t stage = 0; stage < 4; ++stage) ms[stage].push_back(stages[stage]);
    ms[4].push_back(stages[0] + stages[1] + stages[2] + stages[3]);
  }
  if (*std::max_element(ms[4].begin(), ms[4].end()) <= 0) return nullptr;  // nobody took the time
  Json each = {nullptr};
  for (const double total : ms[4]) each.push_back(rounded(total, 2));
  return {{"decode", quantiles(ms[0])}, {"image", quantiles(ms[1])}, {"mask", quantiles(ms[2])},
          {"match", quantiles(ms[3])},  {"total", quantiles(ms[4])}, {"each", each}};
}

// Numbers of the scans for which it holds.
template <class Condition>
Json scans_where(const ReportRun& run, const Condition& condition) {
  Json list = Json::array();
  for (std::size_t i = 1; i < run.scans.size(); ++i)
    if (condition(run.scans[i])) list.push_back(i);
  return list;
}

Json motion_json(const ReportRun& run, std::size_t scan) {
  if (scan == 0 || scan >= run.estimate.size()) return nullptr;
  const SE2 motion =
      to_planar(run.estimate.T_world[scan - 1].inverse(Eigen::Affine) * run.estimate.T_world[scan]);
  Json json = {
      {"x", rounded(motion.x, 3)}, {"y", rounded(motion.y, 3)}, {"yaw", rounded(motion.yaw * kDegrees, 3)}};
  if (run.scans.empty()) return json;
  const ReportScan& known = run.scans[scan];
  json["sigma"] = {rounded(sigma(known.match, 0), 3), rounded(sigma(known.match, 1), 3),
                   rounded(sigma(known.match, 2) * kDegrees, 3)};
  json["correlation"] = rounded(known.match.correlation, 3);
  json["reliable"] = known.match.reliable;
  json["bridged"] = known.bridged;
  return json;
}

Json frame_json(const ReportFrame& frame, const ReportRun& run, const PathSeries& path) {
  std::vector<double> yaw_deg;
  for (const double yaw : frame.yaw) yaw_deg.push_back(yaw * kDegrees);
  const ReportFrame::Surface& surface = frame.surface;
  return {{"scan", frame.scan},
          {"t", frame.scan < path.t.size() ? rounded(path.t[frame.scan], 3) : Json(nullptr)},
          {"motion", motion_json(run, frame.scan)},
          {"reach", rounded(frame.reach_m, 2)},
          {"current", data_uri(frame.current)},
          {"reference", data_uri(frame.reference)},
          {"current_mask", data_uri(frame.current_mask)},
          {"reference_mask", data_uri(frame.reference_mask)},
          {"surface",
           {{"scores", data_uri(surface.scores)},
            {"reach", rounded(surface.reach_m, 2)},
            {"low", rounded(surface.low, 3)},
            {"high", rounded(surface.high, 3)},
            {"shift", {rounded(surface.shift.x, 3), rounded(surface.shift.y, 3)}}}},
          {"rotation", {{"yaw", rounded(yaw_deg, 3)}, {"score", rounded(frame.yaw_score, 4)}}}};
}

Json object_of(const std::string& text, const ReportRun& run, const char* what) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object())
    throw Error(fmt::format("report: the {} of the run {} is no JSON object", what, run.name));
  return json;
}

Json run_json(const ReportRun& run, const RunSeries& series) {
  Json json = {{"name", run.name},
               {"scans", run.estimate.size()},
               {"distance", rounded(path_length(run.estimate), 1)},
               {"hz", run.hz ? rounded(*run.hz, 1) : Json(nullptr)},
               {"kitti", kitti_json(series.kitti)},
               {"ate", series.ate_m ? rounded(*series.ate_m, 4) : Json(nullptr)}};
  json.update(path_json(series.path));
  json["error"] = rounded(series.error_m, 3);
  json["yaw_error"] = rounded(series.yaw_error_deg, 3);
  json["unreliable"] = scans_where(run, [](const ReportScan& s) { return !s.match.reliable && !s.bridged; });
  json["bridged"] = scans_where(run, [](const ReportScan& s) { return s.bridged; });
  json["segments"] = segments_json(series.segments);
  json["normalised"] = normalised_json(series.normalised);
  json["stages"] = stages_json(run);
  json["frames"] = Json::array();
  for (const ReportFrame& frame : run.frames) json["frames"].push_back(frame_json(frame, run, series.path));
  json["config"] = object_of(run.config_json, run, "configuration");
  json["summary"] = object_of(run.summary_json, run, "summary");
  return json;
}

}  // namespace

Json payload_of(const Report& report) {
  const ReportSeries series = series_of(report);
  Json json = {{"title", report.title},
               {"command", report.command},
               {"version", report.version},
               {"timed", series.timed},
               {"truth", series.truth ? path_json(*series.truth) : Json(nullptr)},
               {"runs", Json::array()}};
  for (std::size_t i = 0; i < report.runs.size(); ++i)
    json["runs"].push_back(run_json(report.runs[i], series.runs[i]));
  return json;
}

}  // namespace fmbym::report
