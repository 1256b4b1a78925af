#include "matching/second_look.hpp"

#include <algorithm>
#include <cmath>

#include "matching/peak.hpp"

namespace fmbym {
namespace {

constexpr double kPixel =
    0.8;  // [m]: rotations a degree apart need no more, and it takes a quarter of the time

}  // namespace

SecondLook::SecondLook(const FourierConfig& config, int size, double metres_per_pixel)
    : step_(config.second_look),
      max_yaw_(config.max_yaw),
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
  const auto steps = std::lround(max_yaw_ / step_);
  for (auto i = -steps; i <= steps; ++i) {
    const double yaw = static_cast<double>(i) * step_, correlation = correlation_at(yaw);
    if (correlation > best.correlation) best = {yaw, correlation};
  }
  return vertex(top_above(best.yaw));
}

SecondLook::Top SecondLook::top_above(double yaw) {
  Top top{yaw, correlation_at(yaw - step_), correlation_at(yaw), correlation_at(yaw + step_)};
  while (std::max(top.before, top.after) > top.here && std::abs(top.yaw) <= max_yaw_) {
    if (top.after > top.before)
      top = {top.yaw + step_, top.here, top.after, correlation_at(top.yaw + 2 * step_)};
    else
      top = {top.yaw - step_, correlation_at(top.yaw - 2 * step_), top.before, top.here};
  }
  return top;
}

Agreement SecondLook::vertex(const Top& top) const {
  return {top.yaw + step_ * parabola_offset(top.before, top.here, top.after), top.here};
}

double SecondLook::correlation_at(double yaw) {
  const auto& surface = search_.correlate(*reduced_, yaw);
  return *std::max_element(surface.begin(), surface.end());
}

}  // namespace fmbym
