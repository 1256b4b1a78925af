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
  const double start = yaw;
  double before = correlation_at(yaw - config_.step), here = correlation_at(yaw),
         after = correlation_at(yaw + config_.step);
  while (std::max(before, after) > here && std::abs(yaw) <= config_.max_yaw) {
    const bool up = after > before;
    yaw += up ? config_.step : -config_.step;
    (up ? before : after) = here;
    here = up ? after : before;
    (up ? after : before) = correlation_at(up ? yaw + config_.step : yaw - config_.step);
  }
  if (yaw != start) yaw += config_.step * parabola_offset(before, here, after);
  return {yaw, here};
}

double SecondLook::correlation_at(double yaw) {
  const auto& surface = search_.correlate(*reduced_, yaw);
  return *std::max_element(surface.begin(), surface.end());
}

}  // namespace fmbym
