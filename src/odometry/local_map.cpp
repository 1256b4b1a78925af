#include "fmbym/odometry/local_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fmbym/core/error.hpp"
#include "fmbym/core/warp.hpp"

namespace fmbym {
namespace {

constexpr double kRoom = 0.1;         // the vehicle's way from the middle, of a scan's width
constexpr double kLargestGain = 1e6;  // well within single precision

int map_size(int scan_size) {
  return static_cast<int>(std::ceil((std::sqrt(2.0) + 2 * kRoom) * scan_size)) | 1;
}

}  // namespace

void MapConfig::validate() const {
  if (!(keyframe_distance >= 0 && keyframe_angle >= 0))
    throw Error("map: keyframe_distance and keyframe_angle must be 0 or more");
  if (!(fade >= 0 && fade < 1)) throw Error("map: fade must be at least 0 and below 1");
}

LocalMap::LocalMap(const MapConfig& config, int size, double metres_per_pixel)
    : config_(config), sum_(map_size(size), metres_per_pixel) {
  config.validate();
}

void LocalMap::clear() {
  std::fill(sum_.pixels().begin(), sum_.pixels().end(), 0.f);
  gain_ = 1;
  weight_ = 0;
}

bool LocalMap::is_keyframe(const SE2& T_world_scan) const {
  const SE2 way = last_.inverse() * T_world_scan;
  return empty() || std::hypot(way.x, way.y) >= config_.keyframe_distance ||
         std::abs(way.yaw) >= config_.keyframe_angle;
}

void LocalMap::add(const Image& scan, const SE2& T_world_scan) {
  if (config_.fade == 0) clear();
  if (!empty()) gain_ /= config_.fade;
  if (gain_ > kLargestGain) {
    for (float& v : sum_.pixels()) v /= static_cast<float>(gain_);
    weight_ /= gain_;
    gain_ = 1;
  }
  centre_on(T_world_scan);
  const auto gain = static_cast<float>(gain_);
  float* row = nullptr;
  warp_image(
      scan, in_map(T_world_scan).inverse(), sum_.size(), [&](int r, int, int) { row = sum_.row(r); },
      [&](int column, float value) { row[column] += gain * value; });
  weight_ += gain_;
  last_ = T_world_scan;
}

void LocalMap::look_from(const SE2& T_world_view, Image& view) const {
  const auto scale = weight_ > 0 ? static_cast<float>(1 / weight_) : 0.f;
  float* row = nullptr;
  warp_image(
      sum_, in_map(T_world_view), view.size(),
      [&](int r, int first, int last) {
        row = view.row(r);
        std::fill(row, row + first, 0.f);
        std::fill(row + last, row + view.size(), 0.f);
      },
      [&](int column, float value) { row[column] = scale * value; });
}

SE2 LocalMap::in_map(const SE2& T_world_scan) const {
  return {T_world_scan.x - x_, T_world_scan.y - y_, T_world_scan.yaw};
}

// By whole pixels, so that nothing is resampled.
void LocalMap::centre_on(const SE2& T_world_scan) {
  const int n = sum_.size();
  const double pixel = sum_.metres_per_pixel(), room = kRoom * n / (std::sqrt(2.0) + 2 * kRoom);
  const double up = std::round((T_world_scan.x - x_) / pixel),
               right = std::round((T_world_scan.y - y_) / pixel);
  if (std::max(std::abs(up), std::abs(right)) <= room) return;
  x_ += up * pixel;
  y_ += right * pixel;
  const int rows = static_cast<int>(std::clamp<double>(-up, -n, n));
  const int columns = static_cast<int>(std::clamp<double>(right, -n, n));
  // Row r takes what was in row r + rows; from the side where that is still untouched.
  for (int i = 0; i < n; ++i) {
    const int r = rows >= 0 ? i : n - 1 - i, from = r + rows;
    float* to = sum_.row(r);
    const int kept = from >= 0 && from < n ? n - std::abs(columns) : 0;
    if (kept > 0)
      std::memmove(to + std::max(0, -columns), sum_.row(from) + std::max(0, columns),
                   sizeof(float) * std::size_t(kept));
    std::fill(to, to + (kept > 0 ? std::max(0, -columns) : n), 0.f);
    std::fill(to + (kept > 0 ? n - std::max(0, columns) : n), to + n, 0.f);
  }
}

}  // namespace fmbym
