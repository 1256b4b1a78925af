// fmbym match SCAN_A SCAN_B: the motion between two scans, and why.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "app/command.hpp"
#include "app/model_choice.hpp"
#include "app/options.hpp"
#include "app/results.hpp"
#include "fmbym/datasets/oxford.hpp"
#include "fmbym/odometry/odometry.hpp"
#include "fmbym/report/match_picture.hpp"

namespace fmbym::app {
namespace {

namespace fs = std::filesystem;

struct MatchOptions {
  fs::path previous, current;
  MethodOptions method;
  ModelOptions model;
  CalibrationOverride sensor;
  fs::path picture;
  bool json = false;
};

double sigma(const Match& match, std::size_t axis) {
  return std::sqrt(match.covariance[axis][axis]);
}
double degrees(double radians) {
  return radians * 180 / std::numbers::pi;
}

Json match_json(const Registration& registration, const Setup& setup) {
  const Match& match = registration.match;
  const OdometryConfig& config = setup.config;
  return {{"method", to_string(config.method)},
          {"preset", to_string(config.preset)},
          {"resolution", config.imaging.size},
          {"precision", precision_json(setup)},
          {"model_sha256", sha256_json(setup)},
          {"x_m", registration.T_prev_curr.x},
          {"y_m", registration.T_prev_curr.y},
          {"yaw_rad", registration.T_prev_curr.yaw},
          {"covariance", match.covariance},
          {"yaw_peak_ratio", match.yaw_peak_ratio},
          {"translation_peak_ratio", match.translation_peak_ratio},
          {"correlation", match.correlation},
          {"reliable", match.reliable},
          {"timing_ms",
           {{"mask", registration.mask_ms},
            {"rotation", match.timings.rotation_ms},
            {"translation", match.timings.translation_ms}}}};
}

void print_match(const Registration& registration, const MatchOptions& options) {
  const auto& [x, y, yaw] = registration.T_prev_curr;
  const Match& match = registration.match;
  fmt::print("pose of {} in the frame of {}\n", options.current.filename().string(),
             options.previous.filename().string());
  fmt::print("  x        {:9.4f} ± {:.4f} m forward\n", x, sigma(match, 0));
  fmt::print("  y        {:9.4f} ± {:.4f} m to the right\n", y, sigma(match, 1));
  fmt::print("  yaw      {:9.4f} ± {:.4f} ° clockwise\n", degrees(yaw), degrees(sigma(match, 2)));
  fmt::print("  second peak over first: rotation {:.2f}, translation {:.2f}; correlation {:.2f}\n",
             match.yaw_peak_ratio, match.translation_peak_ratio, match.correlation);
  fmt::print("  {}\n", match.reliable ? "reliable" : "NOT RELIABLE: the scans do not determine the motion");
}

int run_match(const MatchOptions& options) {
  const Setup setup = set_up(options.method, options.model);
  const OdometryConfig& config = setup.config;
  Odometry odometry(config);
  odometry.register_scan(oxford::read_scan(options.previous, options.sensor));
  const Registration found = odometry.register_scan(oxford::read_scan(options.current, options.sensor));

  if (!options.picture.empty()) {
    const std::string title =
        fmt::format("{} in the frame of {}: {} at {}, {} preset", options.current.filename().string(),
                    options.previous.filename().string(), to_string(config.method), config.imaging.size,
                    to_string(config.preset));
    const MatchEvidence evidence = odometry.evidence();
    const MatchedImages images = odometry.images();
    write_match_picture(options.picture, {images.current, images.reference, found.match, evidence, title,
                                          images.current_mask, images.reference_mask});
  }
  if (options.json)
    fmt::print("{}\n", match_json(found, setup).dump(2));
  else
    print_match(found, options);
  return kDone;
}

}  // namespace

void add_match_command(CLI::App& program, Run& run) {
  auto options = std::make_shared<MatchOptions>();
  CLI::App* command = program.add_subcommand(
      "match", "Match one pair of scans: pose, covariance, peaks, and a picture of why");
  command->add_option("scan_a", options->previous, "The earlier scan, a PNG file")
      ->required()
      ->type_name("SCAN_A");
  command->add_option("scan_b", options->current, "The later scan; its pose in the frame of SCAN_A is found")
      ->required()
      ->type_name("SCAN_B");
  add_method_options(*command, options->method);
  add_model_options(*command, options->model);
  add_sensor_options(*command, options->sensor);
  command
      ->add_option("--picture", options->picture,
                   "Draw the aligned scans, the angle correlation, the translation correlation and the masks")
      ->type_name("FILE.png");
  add_json_option(*command, options->json);
  command->callback([options, &run] { run = [options] { return run_match(*options); }; });
}

}  // namespace fmbym::app
