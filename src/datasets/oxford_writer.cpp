#include "fmbym/datasets/oxford_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

#include "datasets/oxford_scan.hpp"
#include "datasets/png.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"
#include "fmbym/datasets/sensor_file.hpp"

namespace fmbym::oxford {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& folder, const std::string& why) {
  throw Error(
      fmt::format("{}: cannot write a sequence there: {}; choose another folder", folder.string(), why));
}

// Half a turn after the first azimuth.
std::int64_t middle_of(const PolarScan& scan) {
  const auto turn = (scan.azimuth_time_us.back() - scan.azimuth_time_us.front()) * scan.azimuths() /
                    std::max(1, scan.azimuths() - 1);
  return scan.azimuth_time_us.front() + turn / 2;
}

}  // namespace

SequenceWriter::SequenceWriter(fs::path folder, const SensorCalibration& sensor)
    : folder_(std::move(folder)), sensor_(sensor) {
  if (!folder_.has_filename()) folder_ = folder_.parent_path();  // a slash at the end
  std::error_code error;
  if (fs::exists(fs::symlink_status(folder_, error)))
    throw Error(
        fmt::format("{}: expected a folder that is not there yet, found one; remove it or choose another",
                    folder_.string()));
  unfinished_ = temporary_beside(folder_);
  fs::create_directories(fs::absolute(folder_).parent_path(), error);
  if (error) fail(folder_, error.message());
  for (const char* part : {"radar", "gt"})
    if (fs::create_directories(unfinished_ / part, error); error) {
      std::error_code ignored;
      fs::remove_all(unfinished_, ignored);
      fail(folder_, error.message());
    }
}

SequenceWriter::~SequenceWriter() {
  std::error_code ignored;
  if (!finished_) fs::remove_all(unfinished_, ignored);
}

void SequenceWriter::add(const PolarScan& scan, const SE2& T_world_scan) {
  write_file(unfinished_ / "radar" / fmt::format("{}.png", scan.timestamp_us),
             png::encode(encode(scan, sensor_.azimuth_offset)));
  entries_.push_back({scan.timestamp_us, middle_of(scan), T_world_scan});
}

std::string SequenceWriter::increments() const {
  std::string lines =
      "source_timestamp,destination_timestamp,x,y,z,roll,pitch,yaw,source_radar_timestamp,"
      "destination_radar_timestamp\n";
  for (std::size_t i = 1; i < entries_.size(); ++i) {
    const Entry &earlier = entries_[i - 1], &later = entries_[i];
    const SE2 T = earlier.T_world_scan.inverse() * later.T_world_scan;
    lines += fmt::format("{},{},{:.9f},{:.9f},0,0,0,{:.9f},{},{}\n", later.middle_us, earlier.middle_us, T.x,
                         T.y, T.yaw, later.start_us, earlier.start_us);
  }
  return lines;
}

void SequenceWriter::finish(const std::string& made_by) {
  std::string list;
  for (const Entry& entry : entries_) list += fmt::format("{} 1\n", entry.start_us);
  write_file(unfinished_ / "radar.timestamps", list);
  write_file(unfinished_ / "gt" / "radar_odometry.csv", increments());
  SensorFile sensor;
  sensor.range_resolution.value = sensor_.range_resolution;
  sensor.range_offset.value = sensor_.range_offset;
  sensor.azimuth_offset.value = sensor_.azimuth_offset;
  sensor.range_bins = sensor_.range_bins;
  sensor.made_by = made_by;
  write_sensor_file(unfinished_ / kSensorFileName, sensor);
  if (std::rename(unfinished_.c_str(), folder_.c_str()) != 0) fail(folder_, std::strerror(errno));
  finished_ = true;
}

}  // namespace fmbym::oxford
