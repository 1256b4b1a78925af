#include "fmbym/odometry/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <utility>

#include "fmbym/core/error.hpp"

namespace fmbym {
namespace {

constexpr std::array kPeaks = {std::pair{PeakPolicy::soft_argmax, "soft_argmax"},
                               std::pair{PeakPolicy::parabola, "parabola"}};
constexpr std::array kRadials = {std::pair{RadialPolicy::mean, "mean"},
                                 std::pair{RadialPolicy::zero_shift, "zero_shift"}};
constexpr std::array kSwitches = {std::pair{true, "true"}, std::pair{false, "false"}};

template <class Value, std::size_t n>
std::string name_in(const std::array<std::pair<Value, const char*>, n>& table, Value value) {
  for (const auto& [entry, name] : table)
    if (entry == value) return name;
  return "?";
}

template <class Value, std::size_t n>
void parse(const std::array<std::pair<Value, const char*>, n>& table, std::string_view name,
           std::string_view text, Value& value) {
  std::vector<std::string> names;
  for (const auto& [entry, entry_name] : table) {
    if (entry_name == text) {
      value = entry;
      return;
    }
    names.emplace_back(entry_name);
  }
  throw Error(fmt::format("--set {}={}: choose one of {}", name, text, fmt::join(names, ", ")));
}

template <class Number>
void parse_number(std::string_view name, std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw Error(fmt::format("--set {}={}: {} is needed", name, text,
                            std::is_integral_v<Number> ? "a whole number" : "a number"));
}

struct Parser {
  std::string_view name, text;
  void operator()(bool* value) const { parse(kSwitches, name, text, *value); }
  void operator()(PeakPolicy* value) const { parse(kPeaks, name, text, *value); }
  void operator()(RadialPolicy* value) const { parse(kRadials, name, text, *value); }
  void operator()(int* value) const { parse_number(name, text, *value); }
  void operator()(double* value) const { parse_number(name, text, *value); }
};

void add_fourier(FourierConfig& c, std::vector<Setting>& settings) {
  settings.insert(settings.end(), {{"fourier.angles", &c.angles},
                                   {"fourier.radii_per_frequency", &c.radii_per_frequency},
                                   {"fourier.oversampling", &c.oversampling},
                                   {"fourier.low_cut_per_m", &c.low_cut},
                                   {"fourier.high_cut_per_m", &c.high_cut},
                                   {"fourier.radial", &c.radial},
                                   {"fourier.peak", &c.peak},
                                   {"fourier.yaw_temperature_percent", &c.yaw_temperature},
                                   {"fourier.translation_temperature_percent", &c.translation_temperature},
                                   {"fourier.max_yaw_rad", &c.max_yaw},
                                   {"fourier.second_look_rad", &c.second_look},
                                   {"fourier.lags_per_pixel", &c.lags_per_pixel},
                                   {"fourier.max_translation_m", &c.max_translation},
                                   {"fourier.window_translation", &c.window_translation},
                                   {"fourier.remove_mean", &c.remove_mean}});
}

void add_exhaustive(ExhaustiveConfig& c, std::vector<Setting>& settings) {
  settings.insert(settings.end(), {{"exhaustive.max_yaw_rad", &c.max_yaw},
                                   {"exhaustive.yaw_step_rad", &c.yaw_step},
                                   {"exhaustive.yaw_peak", &c.yaw_peak},
                                   {"exhaustive.translation_peak", &c.translation_peak},
                                   {"exhaustive.temperature_percent", &c.temperature},
                                   {"exhaustive.max_translation_m", &c.max_translation},
                                   {"exhaustive.remove_mean", &c.remove_mean}});
}

void add_geometry(OdometryConfig& c, std::vector<Setting>& settings) {
  settings.insert(settings.end(), {{"compensate", &c.compensate},
                                   {"refine", &c.refine},
                                   {"search.pixel_m", &c.search_pixel},
                                   {"search.distance_m", &c.search_distance},
                                   {"search.angle_rad", &c.search_angle},
                                   {"mask.enabled", &c.mask},
                                   {"mask.min_range_m", &c.plain_mask.min_range},
                                   {"mask.returns", &c.plain_mask.returns},
                                   {"mask.threshold", &c.plain_mask.threshold},
                                   {"mask.ceiling", &c.plain_mask.ceiling},
                                   {"mask.strongest", &c.plain_mask.strongest},
                                   {"mask.neighbours", &c.plain_mask.neighbours},
                                   {"mask.margin", &c.plain_mask.margin},
                                   {"map.keyframe_distance_m", &c.map.keyframe_distance},
                                   {"map.keyframe_angle_rad", &c.map.keyframe_angle},
                                   {"map.fade", &c.map.fade},
                                   {"motion.max_speed_m_s", &c.motion.max_speed},
                                   {"motion.max_yaw_rate_rad_s", &c.motion.max_yaw_rate},
                                   {"motion.max_acceleration_m_s2", &c.motion.max_acceleration},
                                   {"motion.max_yaw_acceleration_rad_s2", &c.motion.max_yaw_acceleration},
                                   {"motion.min_correlation", &c.motion.min_correlation},
                                   {"motion.still_distance_m", &c.motion.still_distance},
                                   {"motion.still_angle_rad", &c.motion.still_angle}});
}

}  // namespace

std::vector<Setting> settings_of(OdometryConfig& config) {
  std::vector<Setting> settings;
  if (is_decoupled(config.method))
    add_fourier(config.fourier, settings);
  else
    add_exhaustive(config.exhaustive, settings);
  if (config.preset == Preset::paper) {
    settings.push_back({"mind_sightings", &config.mind_sightings});
    if (uses_masks(config.method)) settings.push_back({"mask_both_ways", &config.mask_both_ways});
    return settings;
  }
  add_geometry(config, settings);
  if (uses_masks(config.method)) settings.push_back({"mask_again_pixels", &config.mask_again});
  return settings;
}

void apply_setting(OdometryConfig& config, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    throw Error(fmt::format("--set {}: NAME=VALUE is needed, such as map.fade=0.8", assignment));
  const std::string_view name = assignment.substr(0, equals), text = assignment.substr(equals + 1);
  std::vector<std::string> names;
  for (const Setting& setting : settings_of(config)) {
    if (setting.name == name) return std::visit(Parser{name, text}, setting.value);
    names.push_back(setting.name);
  }
  throw Error(fmt::format("--set {}: no such setting of {} in the {} preset; there are {}", name,
                          to_string(config.method), to_string(config.preset), fmt::join(names, ", ")));
}

std::string to_string(PeakPolicy policy) {
  return name_in(kPeaks, policy);
}

std::string to_string(RadialPolicy policy) {
  return name_in(kRadials, policy);
}

}  // namespace fmbym
