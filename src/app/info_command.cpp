// fmbym info FILE: what is this scan, sequence, trajectory or model?
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numbers>

#include "app/command.hpp"
#include "app/model_summary.hpp"
#include "app/options.hpp"
#include "app/results.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"
#include "fmbym/datasets/oxford.hpp"
#include "fmbym/masking/tensor_file.hpp"

namespace fmbym::app {
namespace {

namespace fs = std::filesystem;

struct InfoOptions {
  fs::path file;
  CalibrationOverride sensor;
  bool json = false;
};

Json sequence_info(const InfoOptions& options) {
  const auto dataset = open_dataset(options.file, options.sensor);
  const auto& truth = dataset->ground_truth();
  const std::size_t last = dataset->size() - 1;
  return {{"kind", "sequence"},
          {"format", dataset->format()},
          {"scans", dataset->size()},
          {"first_timestamp_us", dataset->timestamp_us(0)},
          {"duration_s", static_cast<double>(dataset->timestamp_us(last) - dataset->timestamp_us(0)) * 1e-6},
          {"gaps", time_gaps(*dataset).size()},
          {"ground_truth_poses",
           std::count_if(truth.begin(), truth.end(), [](const auto& pose) { return pose.has_value(); })},
          {"range_resolution_m", dataset->calibration().range_resolution},
          {"range_offset_m", dataset->calibration().range_offset},
          {"azimuth_offset_rad", dataset->calibration().azimuth_offset},
          {"remarks", dataset->remarks()}};
}

Json scan_info(const InfoOptions& options) {
  const PolarScan scan = oxford::read_scan(options.file, options.sensor);
  double sum = 0;
  for (const auto power : scan.power) sum += power;
  return {
      {"kind", "scan"},
      {"format", "oxford"},
      {"timestamp_us", scan.timestamp_us},
      {"azimuths", scan.azimuths()},
      {"invalid_azimuths", std::count(scan.valid.begin(), scan.valid.end(), 0)},
      {"first_azimuth_deg", scan.azimuth.front() * 180 / std::numbers::pi},
      {"duration_s", static_cast<double>(scan.azimuth_time_us.back() - scan.azimuth_time_us.front()) * 1e-6},
      {"range_bins", scan.bins},
      {"range_resolution_m", scan.range_resolution},
      {"range_offset_m", scan.range_offset},
      {"max_range_m", scan.range(scan.bins - 0.5)},
      {"mean_power", sum / static_cast<double>(scan.power.size())}};
}

Json trajectory_info(const InfoOptions& options) {
  const TrajectoryFile file = read_trajectory(options.file);
  const Trajectory& t = file.trajectory;
  return {{"kind", "trajectory"},
          {"format", to_string(file.format)},
          {"poses", t.size()},
          {"length_m", path_length(t)},
          {"duration_s", t.timed() ? Json(static_cast<double>(t.time_ns.back() - t.time_ns.front()) * 1e-9)
                                   : Json(nullptr)}};
}

Json info(const InfoOptions& options) {
  if (!fs::exists(options.file))
    throw Error(fmt::format("{}: no such file or folder; check the path", options.file.string()));
  if (fs::is_directory(options.file)) return sequence_info(options);
  const std::string contents = read_file(options.file);
  if (contents.starts_with("\x89PNG")) return scan_info(options);
  if (options.file.extension() == ".safetensors" || looks_like_tensor_file(contents))
    return model_summary(contents, options.file.string());
  return trajectory_info(options);
}

std::string readable_key(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

// What a file says of itself must not command the terminal.
std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ') || c == 127; }, '?');
  return text;
}

std::string readable(const Json& value) {
  if (value.is_null() || value == "") return "unknown";
  if (value.is_string()) return printable(value.get<std::string>());
  return value.is_number_float() ? fmt::format("{:.6g}", value.get<double>()) : value.dump();
}

void print_member(const std::string& key, const Json& value) {
  if (value.is_array() && key == "remarks")
    for (const auto& line : value) fmt::print("note: {}\n", line.get<std::string>());
  else if (value.is_array() && key == "convolutions")
    fmt::print("{}", convolution_table(value));
  else if (value.is_object())
    for (const auto& [name, inner] : value.items()) print_member(printable(name), inner);
  else
    fmt::print("{:31} {}\n", readable_key(key), readable(value));
}

int run_info(const InfoOptions& options) {
  const Json result = info(options);
  if (options.json)
    fmt::print("{}\n", result.dump(2));
  else
    for (const auto& [key, value] : result.items()) print_member(key, value);
  return kDone;
}

}  // namespace

void add_info_command(CLI::App& program, Run& run) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = program.add_subcommand("info", "What is this scan, sequence, trajectory or model?");
  command
      ->add_option("file", options->file, "A scan (PNG), a sequence's folder, a trajectory file or a model")
      ->required()
      ->type_name("FILE");
  add_sensor_options(*command, options->sensor);
  add_json_option(*command, options->json);
  command->callback([options, &run] { run = [options] { return run_info(*options); }; });
}

}  // namespace fmbym::app
