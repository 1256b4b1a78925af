#include "datasets/simulator/route.hpp"

#include <algorithm>
#include <utility>

namespace fmbym::simulator {
namespace {

Twist2 scaled(const Twist2& t, double by) {
  return {t.x * by, t.y * by, t.yaw * by};
}
Twist2 sum(const Twist2& a, const Twist2& b) {
  return {a.x + b.x, a.y + b.y, a.yaw + b.yaw};
}

}  // namespace

Route::Route(std::vector<double> times, std::vector<SE2> poses)
    : times_(std::move(times)), poses_(std::move(poses)) {
  std::vector<Twist2> between;  // mean velocities
  for (std::size_t i = 1; i < poses_.size(); ++i)
    between.push_back(scaled((poses_[i - 1].inverse() * poses_[i]).log(), 1 / (times_[i] - times_[i - 1])));
  velocities_.push_back(between.front());
  for (std::size_t i = 1; i < between.size(); ++i)
    velocities_.push_back(scaled(sum(between[i - 1], between[i]), 0.5));
  velocities_.push_back(between.back());
}

// A cubic in the tangent space of the pose before: exact at both poses, with one velocity at each.
SE2 Route::at(double time) const {
  if (time <= times_.front())
    return poses_.front() * SE2::exp(scaled(velocities_.front(), time - times_.front()));
  if (time >= times_.back())
    return poses_.back() * SE2::exp(scaled(velocities_.back(), time - times_.back()));
  const auto next =
      static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), time) - times_.begin());
  const std::size_t i = next - 1;
  const double length = times_[next] - times_[i], u = (time - times_[i]) / length;
  const Twist2 step = (poses_[i].inverse() * poses_[next]).log();
  const double of_start = u * (1 - u) * (1 - u) * length, of_step = u * u * (3 - 2 * u),
               of_end = u * u * (u - 1) * length;
  return poses_[i] * SE2::exp(sum(scaled(step, of_step),
                                  sum(scaled(velocities_[i], of_start), scaled(velocities_[next], of_end))));
}

}  // namespace fmbym::simulator
