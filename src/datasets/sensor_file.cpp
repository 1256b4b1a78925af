#include "fmbym/datasets/sensor_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "core/shown_json.hpp"
#include "datasets/sensor_limits.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"

namespace fmbym {
namespace {

using Json = nlohmann::ordered_json;

constexpr SensorLimit kStandardErrorLimit = {"a number of at least 0",
                                             [](double value) { return value >= 0 && value < 1e9; }};
constexpr SensorLimit kRangeBinsLimit = {"a whole number above 0", [](double bins) {
                                           return bins >= 1 && bins <= 1e6 && bins == std::floor(bins);
                                         }};

Json parse(std::string_view contents, const std::filesystem::path& file) {
  const Json json = Json::parse(contents, nullptr, false);
  if (json.is_discarded())
    throw Error(fmt::format(
        "{}: expected a sensor file in JSON, found something else; give a file that fmbym calibrate wrote",
        file.string()));
  if (!json.is_object())
    throw Error(
        fmt::format("{}: expected a JSON object with range_resolution, range_offset or azimuth_offset, "
                    "found {}; give a file that fmbym calibrate wrote",
                    file.string(), shown(json)));
  return json;
}

std::optional<double> number(const Json& json, const std::string& name, const SensorLimit& limit,
                             const std::filesystem::path& file) {
  if (!json.contains(name)) return std::nullopt;
  const Json& value = json[name];
  if (!value.is_number() || !limit.holds(value.get<double>()))
    throw Error(fmt::format("{}: {}: expected {}, found {}; correct it or calibrate again", file.string(),
                            name, limit.expected, shown(value)));
  return value.get<double>();
}

void put(Json& json, const std::string& name, const SensorFile::Value& value) {
  json[name] = value.value;
  if (value.standard_error) json[name + "_standard_error"] = *value.standard_error;
}

}  // namespace

CalibrationOverride read_sensor_file(const std::filesystem::path& file) {
  return parse_sensor_file(read_file(file), file);
}

CalibrationOverride parse_sensor_file(std::string_view contents, const std::filesystem::path& file) {
  const Json json = parse(contents, file);
  CalibrationOverride sensor;
  sensor.range_resolution = number(json, "range_resolution", kRangeResolutionLimit, file);
  sensor.range_offset = number(json, "range_offset", kRangeOffsetLimit, file);
  sensor.azimuth_offset = number(json, "azimuth_offset", kAzimuthOffsetLimit, file);
  for (const char* name : {"range_resolution", "range_offset", "azimuth_offset"})
    number(json, fmt::format("{}_standard_error", name), kStandardErrorLimit, file);
  if (!sensor.range_resolution && !sensor.range_offset && !sensor.azimuth_offset)
    throw Error(
        fmt::format("{}: expected range_resolution, range_offset or azimuth_offset, found none of them; "
                    "give a file that fmbym calibrate wrote",
                    file.string()));
  if (const auto bins = number(json, "range_bins", kRangeBinsLimit, file); bins && sensor.range_resolution)
    sensor.range_bins = static_cast<int>(*bins);
  return sensor;
}

CalibrationOverride with_sensor_file(const std::filesystem::path& sequence,
                                     const CalibrationOverride& given) {
  const std::filesystem::path file = sequence / kSensorFileName;
  std::error_code unreadable;
  if (!std::filesystem::exists(file, unreadable)) return given;
  CalibrationOverride sensor = read_sensor_file(file);
  if (given.range_resolution) {
    sensor.range_resolution = given.range_resolution;
    sensor.range_bins = given.range_bins;  // the file's was for its own resolution
  }
  if (given.range_offset) sensor.range_offset = given.range_offset;
  if (given.azimuth_offset) sensor.azimuth_offset = given.azimuth_offset;
  return sensor;
}

void write_sensor_file(const std::filesystem::path& file, const SensorFile& sensor) {
  Json json;
  put(json, "range_resolution", sensor.range_resolution);
  put(json, "range_offset", sensor.range_offset);
  put(json, "azimuth_offset", sensor.azimuth_offset);
  if (sensor.range_bins > 0) json["range_bins"] = sensor.range_bins;
  json["sequences"] = sensor.sequences;
  json["made_by"] = sensor.made_by;
  write_file(file, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace fmbym
