#include "fmbym/odometry/config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "fmbym/core/error.hpp"
#include "fmbym/masking/mask_network.hpp"

namespace fmbym {
namespace {

constexpr double kLargestYaw = std::numbers::pi / 6;  // from scan to scan, at 4 Hz

constexpr double kSecondLook = std::numbers::pi / 90;  // finds what is off by more than a degree

constexpr double kSamePixel = 0.01;  // relative difference of pixel sizes that does not matter

constexpr std::array kMethods = {std::pair{Method::raw, "raw"}, std::pair{Method::f_raw, "f-raw"},
                                 std::pair{Method::mbym, "mbym"}, std::pair{Method::f_mbym, "f-mbym"}};
constexpr std::array kPresets = {std::pair{Preset::paper, "paper"}, std::pair{Preset::standard, "default"}};

template <class Table, class Value>
std::string name_of(const Table& table, Value value) {
  for (const auto& [entry, name] : table)
    if (entry == value) return name;
  return "?";
}

template <class Table>
auto value_of(const Table& table, std::string_view kind, std::string_view given) {
  std::vector<std::string> names;
  for (const auto& [entry, name] : table) {
    if (name == given) return entry;
    names.emplace_back(name);
  }
  throw Error(
      fmt::format("--{} {}: no such {}; choose one of {}", kind, given, kind, fmt::join(names, ", ")));
}

// Each setting measured on the training sequences; docs/results.md has the figures.
FourierConfig standard_fourier() {
  FourierConfig config;
  config.radial = RadialPolicy::zero_shift;  // a third of the yaw scatter of the radial mean
  config.low_cut = 0.25;                     // what is longer than 4 m pulls towards no rotation
  config.high_cut = 10;                      // all there is: the Nyquist frequency at 511 is 2.5
  config.angles = 480;                       // finer changes nothing once the peak is read off a parabola
  config.radii_per_frequency = 1;
  config.peak = PeakPolicy::parabola;
  config.window_translation = false;
  config.remove_mean = true;
  config.max_yaw = kLargestYaw;
  config.max_translation = 25;  // 100 m/s from scan to scan at 4 Hz
  return config;
}

// Algorithm 1; with masks the band, the grids and the range are ours.
FourierConfig paper_fourier(Method method) {
  FourierConfig config;
  if (!uses_masks(method)) return config;
  // The paper does not say which band its filter passes. Without masks most of what is above 0.3 cycles a
  // metre is noise, and below is what the search finds its way by. With masks the noise is gone; then what is
  // below, walls above all, only pulls the yaw along: half the drift comes from there.
  config.low_cut = 0.3;
  // A magnitude varies twice as fast as the spectrum it is of. Read off the spectrum's own grid it is blurred
  // between the grid's points, not on them, and that pattern stands still when the vehicle turns.
  config.oversampling = 2;
  // Where little is to be seen, the spectra may suggest a turn that the images contradict.
  config.second_look = kSecondLook;
  // Masked scans have peaks hardly wider than a pixel. The mean of whole pixels is drawn towards the nearest
  // one then, by up to a sixth, which adds up at constant speed.
  config.lags_per_pixel = 2;
  // Among half a turn of candidates one pair in a thousand looks most like a turn that no vehicle makes.
  config.max_yaw = kLargestYaw;
  return config;
}

ExhaustiveConfig standard_exhaustive() {
  ExhaustiveConfig config;
  // For yaw the soft arg-max stays: the candidate without rotation needs no interpolation, so that its score
  // lies below its blurred neighbours', and a parabola through them avoids it.
  config.translation_peak = PeakPolicy::parabola;
  config.remove_mean = true;
  config.max_translation = 25;
  return config;
}

void require_model_for(const OdometryConfig& config) {
  const bool masked = uses_masks(config.method);
  if (masked && !config.model)
    throw Error(fmt::format(
        "--method {}: expected a mask model, found none; give one, or choose {}, which needs none",
        to_string(config.method), is_decoupled(config.method) ? "f-raw" : "raw"));
  if (!masked && config.model)
    throw Error(fmt::format(
        "--method {}: expected no mask model, found one; choose f-mbym or mbym, or leave the model out",
        to_string(config.method)));
}

void require_fit(const ModelInfo& model, const OdometryConfig& config) {
  const ImagingConfig& imaging = config.imaging;
  if (imaging.size < kSmallestMask)
    throw Error(fmt::format(
        "--resolution {}: the mask network halves the image five times and needs at least {} pixels a side; "
        "choose a higher one",
        imaging.size, kSmallestMask));
  const double difference = std::abs(model.metres_per_pixel / imaging.metres_per_pixel - 1);
  if (config.any_resolution || (model.resolution == imaging.size && difference <= kSamePixel)) return;
  throw Error(fmt::format(
      "--resolution {}: expected a model of {} pixels of {:.4g} m, found one of {} pixels of {:.4g} m; "
      "choose "
      "a model for these images, or --any-resolution to take it all the same",
      imaging.size, imaging.size, imaging.metres_per_pixel, model.resolution, model.metres_per_pixel));
}

}  // namespace

bool uses_masks(Method method) {
  return method == Method::mbym || method == Method::f_mbym;
}
bool is_decoupled(Method method) {
  return method == Method::f_raw || method == Method::f_mbym;
}

std::string to_string(Method method) {
  return name_of(kMethods, method);
}
std::string to_string(Preset preset) {
  return name_of(kPresets, preset);
}
Method parse_method(std::string_view name) {
  return value_of(kMethods, "method", name);
}
Preset parse_preset(std::string_view name) {
  return value_of(kPresets, "preset", name);
}

void OdometryConfig::validate() const {
  imaging.validate();
  fourier.validate();
  exhaustive.validate();
  plain_mask.validate();
  map.validate();
  motion.validate();
  if (!(search_pixel > 0 && search_distance > 0 && search_angle > 0))
    throw Error("search: pixel_m, distance_m and angle_rad must be above 0");
  if (!(mask_again >= 0)) throw Error("mask_again_pixels must be 0 or above");
  if (is_decoupled(method) && fourier.low_cut * imaging.metres_per_pixel >= 0.5)
    throw Error(fmt::format(
        "--resolution {}: pixels of {:.2f} m show nothing above {} cycles a metre, where the search for the "
        "rotation begins; choose a higher one",
        imaging.size, imaging.metres_per_pixel, fourier.low_cut));
  if (threads < 1 || threads > 256)
    throw Error(fmt::format("--threads {}: a number from 1 to 256 is needed", threads));
  require_model_for(*this);
  if (model) require_fit(model->info, *this);
}

OdometryConfig make_config(Method method, Preset preset, int resolution) {
  OdometryConfig config;
  config.method = method;
  config.preset = preset;
  config.imaging = imaging_for_resolution(resolution);
  config.fourier = preset == Preset::standard ? standard_fourier() : paper_fourier(method);
  if (preset == Preset::standard) config.exhaustive = standard_exhaustive();
  config.mind_sightings = preset == Preset::paper && uses_masks(method);
  config.mask_both_ways = preset == Preset::paper && method == Method::f_mbym;
  return config;
}

void set_model(OdometryConfig& config, std::shared_ptr<const MaskModel> model) {
  config.model = std::move(model);
  const ModelInfo& info = config.model->info;
  if (info.yaw_temperature) config.fourier.yaw_temperature = *info.yaw_temperature;
  if (info.translation_temperature)
    config.fourier.translation_temperature = config.exhaustive.temperature = *info.translation_temperature;
}

std::unique_ptr<Matcher> make_matcher(const OdometryConfig& config) {
  const int size = config.imaging.size;
  const double metres_per_pixel = config.imaging.metres_per_pixel;
  if (is_decoupled(config.method)) return make_fourier_matcher(config.fourier, size, metres_per_pixel);
  return make_exhaustive_matcher(config.exhaustive, size, metres_per_pixel, config.threads);
}

OdometryConfig tracking_config(OdometryConfig config) {
  config.fourier.max_translation = config.exhaustive.max_translation = config.search_distance;
  config.fourier.max_yaw = config.exhaustive.max_yaw = config.search_angle;
  return config;
}

std::unique_ptr<Matcher> make_tracking_matcher(const OdometryConfig& config) {
  return make_matcher(tracking_config(config));
}

}  // namespace fmbym
