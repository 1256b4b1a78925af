#include "matching/second_look.hpp"

#include <algorithm>
#include <cmath>

#include "matching/peak.hpp"

namespace fmbym {
namespace {

constexpr double kPixel =
    0.8;  // [m]: rotations a degree apart need no more, and it takes a quarter of the time

}  // namespace

SecondLook::SecondLook(const SecondLookConfig& config, int size, double metres_per_pixel)
    : config_(config),
      current_(size, metres_per_pixel, kPixel),
      previous_(current_),
      search_(current_.size(),
              max_lag_pixels(config.max_translation, current_.size(), current_.metres_per_pixel()),
              config.remove_mean) {}

void SecondLook::set_images(const Image& current, const Image& previous) {
  search_.set_current(current_.reduce(current));
  reduced_ = &previous_.reduce(previous);
}

Agreement SecondLook::climb(double yaw) {
  const Top top = top_above(yaw);
  return top.yaw == yaw ? Agreement{yaw, top.here} : vertex(top);
}

Agreement SecondLook::search() {
  Agreement best;
  const auto steps = std::lround(config_.max_yaw / config_.step);
  for (auto i = -steps; i <= steps; ++i) {
    const double yaw = static_cast<double>(i) * config_.step, correlation = correlation_at(yaw);
    if (correlation > best.correlation) best = {yaw, correlation};
  }
  return vertex(top_above(best.yaw));
}

SecondLook::Top SecondLook::top_above(double yaw) {
  const double step = config_.step;
  Top top{yaw, correlation_at(yaw - step), correlation_at(yaw), correlation_at(yaw + step)};
  while (std::max(top.before, top.after) > top.here && std::abs(top.yaw) <= config_.max_yaw) {
    if (top.after > top.before)
      top = {top.yaw + step, top.here, top.after, correlation_at(top.yaw + 2 * step)};
    else
      top = {top.yaw - step, correlation_at(top.yaw - 2 * step), top.before, top.here};
  }
  return top;
}

Agreement SecondLook::vertex(const Top& top) const {
  return {top.yaw + config_.step * parabola_offset(top.before, top.here, top.after), top.here};
}

double SecondLook::correlation_at(double yaw) {
  const auto& surface = search_.correlate(*reduced_, yaw);
  return *std::max_element(surface.begin(), surface.end());
}

}  // namespace fmbym
