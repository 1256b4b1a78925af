#include "datasets/simulator/spine.hpp"

#include <algorithm>
#include <cmath>

namespace fmbym::simulator {
namespace {

constexpr double kCell = 20;        // [m]
constexpr double kTimeStep = 0.05;  // [s]
constexpr double kSamePlace = 14;   // [m]; a road this near is the same road …
constexpr std::size_t kAway = 80;   // … if the way between is longer than this [m]

std::int64_t cell(double metres) {
  return static_cast<std::int64_t>(std::floor(metres / kCell));
}

}  // namespace

Spine::Spine(const Drive& drive, double beyond) : time_step_(kTimeStep), first_time_(drive.route.start()) {
  const SE2 first = drive.route.at(drive.route.start());
  for (double s = beyond; s > 0; s -= 1) poses_.push_back(first * SE2{-s, 0, 0});
  const auto start = static_cast<double>(poses_.size());
  poses_.push_back(first);
  SE2 last = first;
  double since = 0, walked = 0;  // the last point, in all [m]
  for (double t = drive.route.start(); t <= drive.route.end(); t += kTimeStep) {
    const SE2 now = drive.route.at(t);
    const double step = std::hypot(now.x - last.x, now.y - last.y);
    since += step;
    walked += step;
    along_.push_back(start + walked);
    for (; since >= 1; since -= 1) {
      const SE2& before = poses_.back();
      const double heading = std::atan2(now.y - before.y, now.x - before.x);
      const bool forward = std::cos(heading - now.yaw) > 0;
      poses_.push_back({now.x, now.y, forward ? heading : now.yaw});
    }
    last = now;
  }
  for (double s = 1; s <= beyond; s += 1) poses_.push_back(last * SE2{s, 0, 0});
  index();
}

void Spine::index() {
  new_.assign(poses_.size(), true);
  for (std::size_t i = 0; i < poses_.size(); ++i) {
    const std::int64_t x = cell(poses_[i].x), y = cell(poses_[i].y);
    for (std::int64_t cx = x - 1; cx <= x + 1; ++cx)
      for (std::int64_t cy = y - 1; cy <= y + 1; ++cy)
        if (const auto found = cells_.find(key(cx, cy)); found != cells_.end())
          for (const std::uint32_t j : found->second)
            if (j + kAway < i &&
                std::hypot(poses_[i].x - poses_[j].x, poses_[i].y - poses_[j].y) < kSamePlace)
              new_[i] = false;
    cells_[key(x, y)].push_back(static_cast<std::uint32_t>(i));
  }
}

SE2 Spine::at(double along) const {
  const double s = std::clamp(along, 0.0, length());
  const auto i = std::min(static_cast<std::size_t>(s), poses_.size() - 2);
  const SE2 &a = poses_[i], &b = poses_[i + 1];
  const double u = s - static_cast<double>(i);
  const SE2 on = {a.x + u * (b.x - a.x), a.y + u * (b.y - a.y), a.yaw + u * wrap_angle(b.yaw - a.yaw)};
  return on * SE2{along - s, 0, 0};
}

Vec2 Spine::beside(double along, double to_the_right) const {
  return at(along) * Vec2{0, to_the_right};
}

double Spine::clearance(const Vec2& place) const {
  double nearest = kCell;
  const std::int64_t x = cell(place.x), y = cell(place.y);
  for (std::int64_t cx = x - 1; cx <= x + 1; ++cx)
    for (std::int64_t cy = y - 1; cy <= y + 1; ++cy)
      if (const auto found = cells_.find(key(cx, cy)); found != cells_.end())
        for (const std::uint32_t i : found->second)
          nearest = std::min(nearest, std::hypot(place.x - poses_[i].x, place.y - poses_[i].y));
  return nearest;
}

bool Spine::is_new(double along) const {
  return new_[std::min(static_cast<std::size_t>(std::max(0.0, along)), new_.size() - 1)];
}

double Spine::along(double time) const {
  const double at =
      std::clamp((time - first_time_) / time_step_, 0.0, static_cast<double>(along_.size() - 1));
  const auto i = std::min(static_cast<std::size_t>(at), along_.size() - 1);
  const auto next = std::min(i + 1, along_.size() - 1);
  return along_[i] + (at - static_cast<double>(i)) * (along_[next] - along_[i]);
}

}  // namespace fmbym::simulator
