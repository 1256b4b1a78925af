#include "masking/model_info.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <system_error>

#include "core/in_quotes.hpp"
#include "fmbym/core/error.hpp"

namespace fmbym {
namespace {

constexpr int kFormatVersion = 1;
constexpr double kLargest = std::numeric_limits<float>::max();

class Metadata {
 public:
  Metadata(const std::map<std::string, std::string>& values, const std::string& file)
      : values_(values), file_(file) {}

  std::string text(const char* key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? "" : found->second;
  }

  std::string choice(const char* key, std::initializer_list<const char*> choices) const {
    const std::string value = text(key);
    if (value.empty() || std::ranges::find(choices, value) != choices.end()) return value;
    fail(key, fmt::format("expected {}, found {}", fmt::join(choices, " or "), in_quotes(value)));
  }

  std::optional<double> number(const char* key, double low, double high) const {
    const auto found = values_.find(key);
    if (found == values_.end()) return std::nullopt;
    const std::string& text = found->second;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !(value >= low && value <= high))
      fail(key, fmt::format("expected a number {}, found {}", range(low, high), in_quotes(text)));
    return value;
  }

  std::optional<int> whole(const char* key, int low, int high) const {
    const auto value = number(key, low, high);
    if (value && *value != std::floor(*value))
      fail(key, fmt::format("expected a whole number, found {}", *value));
    return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
  }

  template <typename Value>
  Value required(const char* key, const std::optional<Value>& value) const {
    if (!value) fail(key, "expected a value, found none");
    return *value;
  }

  [[noreturn]] void fail(const char* key, std::string_view wrong,
                         std::string_view remedy = "correct it where the file is written") const {
    throw Error(fmt::format("{}: metadata {}: {}; {}", file_, key, wrong, remedy));
  }

 private:
  static std::string range(double low, double high) {
    if (low == -kLargest) return "that is finite";
    return high == kLargest ? fmt::format("of at least {:.3g}", low)
                            : fmt::format("from {} to {}", low, high);
  }

  const std::map<std::string, std::string>& values_;
  const std::string& file_;
};

void require_ours(const Metadata& metadata) {
  const std::string architecture = metadata.text("architecture"), expected = ModelInfo().architecture;
  if (architecture != expected)
    metadata.fail("architecture",
                  fmt::format("expected {}, found {}", in_quotes(expected), in_quotes(architecture)),
                  "give weights of this network");
  const int version = metadata.required("format_version", metadata.whole("format_version", 1, 1'000'000));
  if (version > kFormatVersion)
    metadata.fail(
        "format_version",
        fmt::format("expected {}, found {}, which is newer than this program", kFormatVersion, version),
        "use a newer fmbym");
}

}  // namespace

ModelInfo info_of(const TensorFile& file, const std::string& name) {
  const Metadata metadata(file.metadata, name);
  require_ours(metadata);
  constexpr double smallest = std::numeric_limits<float>::min();
  ModelInfo info;
  info.method = metadata.choice("method", {"f-mbym", "mbym"});
  info.preset = metadata.choice("preset", {"paper", "default"});
  info.resolution = metadata.required("resolution", metadata.whole("resolution", 64, 4095));
  info.metres_per_pixel =
      metadata.required("metres_per_pixel", metadata.number("metres_per_pixel", 0.01, 10));
  info.input_mean = metadata.number("input_mean", -kLargest, kLargest).value_or(0);
  info.input_scale = metadata.number("input_scale", smallest, kLargest).value_or(1);
  info.training_data = metadata.text("training_data");
  info.epoch = metadata.whole("epoch", 0, 1'000'000'000).value_or(0);
  info.validation_translation_percent = metadata.number("validation_translation_percent", 0, kLargest);
  info.validation_rotation_deg_per_km = metadata.number("validation_rotation_deg_per_km", 0, kLargest);
  info.yaw_temperature = metadata.number("yaw_temperature_percent", smallest, kLargest);
  info.translation_temperature = metadata.number("translation_temperature_percent", smallest, kLargest);
  info.licence = metadata.text("licence");
  return info;
}

std::map<std::string, std::string> to_metadata(const ModelInfo& info) {
  std::map<std::string, std::string> metadata = {{"architecture", info.architecture},
                                                 {"format_version", fmt::to_string(kFormatVersion)},
                                                 {"method", info.method},
                                                 {"preset", info.preset},
                                                 {"resolution", fmt::to_string(info.resolution)},
                                                 {"metres_per_pixel", fmt::to_string(info.metres_per_pixel)},
                                                 {"input_mean", fmt::to_string(info.input_mean)},
                                                 {"input_scale", fmt::to_string(info.input_scale)},
                                                 {"training_data", info.training_data},
                                                 {"epoch", fmt::to_string(info.epoch)},
                                                 {"licence", info.licence}};
  const auto add = [&](const char* key, const std::optional<double>& value) {
    if (value) metadata[key] = fmt::to_string(*value);
  };
  add("validation_translation_percent", info.validation_translation_percent);
  add("validation_rotation_deg_per_km", info.validation_rotation_deg_per_km);
  add("yaw_temperature_percent", info.yaw_temperature);
  add("translation_temperature_percent", info.translation_temperature);
  return metadata;
}

}  // namespace fmbym
