// A drive of our own: streets first, then how fast they can be driven.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "datasets/simulator/random.hpp"
#include "datasets/simulator/route.hpp"

namespace fmbym::simulator {
namespace {

constexpr double kStep = 0.25;                                   // along the streets [m]
constexpr double kKnotTime = 0.05;                               // between poses of the route [s]
constexpr double kTurnTime = 0.25;                               // of the radar [s]
constexpr std::int64_t kFirstTimestamp = 1'600'000'000'000'000;  // [µs]

struct Habits {
  double slowest, fastest;      // free speed [m/s]
  double shortest, longest;     // straight stretch [m]
  double junctions;             // of stretches that end with a turn of 90 degrees
  double stops;                 // of junctions and ends of stretches where the vehicle waits
  double tightest, widest;      // radius of bends [m]
  double lateral_acceleration;  // [m/s²]
};

Habits habits_of(TownStyle style) {
  switch (style) {
    case TownStyle::urban:
      return {5, 10.5, 50, 170, 0.5, 0.3, 40, 150, 2.2};
    case TownStyle::suburban:
      return {8, 15, 60, 200, 0.35, 0.2, 40, 200, 2.2};
    case TownStyle::highway:
      return {18, 25, 150, 500, 0, 0, 350, 1200, 1.8};
    case TownStyle::park:
      return {5, 10, 40, 150, 0.15, 0.1, 25, 100, 1.8};
  }
  return {};
}

// The streets as curvature over distance, with the speed one may have there.
struct Street {
  std::vector<double> curvature;  // [1/m], positive to the right
  std::vector<double> speed;      // [m/s]
  std::vector<double> wait;       // [s]
};

class StreetMaker {
 public:
  StreetMaker(const SimulatorConfig& config)
      : habits_(habits_of(config.style)), random_(mix(config.seed, 'r')) {}

  Street make(double length) {
    while (static_cast<double>(street_.curvature.size()) * kStep < length) {
      free_speed_ = random_.uniform(habits_.slowest, habits_.fastest);
      add(random_.uniform(habits_.shortest, habits_.longest), 0);
      const bool junction = random_.chance(habits_.junctions);
      if (random_.chance(habits_.stops)) street_.wait.back() = random_.uniform(0.5, 6);
      if (junction)
        turn(random_.uniform(8, 14), std::numbers::pi / 2);
      else
        turn(random_.uniform(habits_.tightest, habits_.widest), random_.uniform(0.1, 0.9));
    }
    smooth();
    wander();
    limit_speed();
    return std::move(street_);
  }

 private:
  void add(double metres, double curvature) {
    for (double s = 0; s < metres; s += kStep) {
      street_.curvature.push_back(curvature);
      street_.speed.push_back(free_speed_);
      street_.wait.push_back(0);
    }
  }
  // Mostly back to where it came from, so that the way does not curl up.
  void turn(double radius, double angle) {
    const double side = random_.chance(0.5 + 0.35 * std::clamp(heading_, -1.0, 1.0)) ? -1 : 1;
    add(angle * radius, side / radius);
    heading_ += side * angle;
  }
  // The steering wheel turns in a second or so.
  void smooth() {
    constexpr std::ptrdiff_t reach = 14;  // 3.5 m
    std::vector<double> sum(street_.curvature.size() + 1);
    for (std::size_t i = 0; i < street_.curvature.size(); ++i) sum[i + 1] = sum[i] + street_.curvature[i];
    const auto last = std::ssize(street_.curvature);
    for (std::ptrdiff_t i = 0; i < last; ++i) {
      const auto from = std::max<std::ptrdiff_t>(0, i - reach), to = std::min(last, i + reach + 1);
      street_.curvature[static_cast<std::size_t>(i)] =
          (sum[static_cast<std::size_t>(to)] - sum[static_cast<std::size_t>(from)]) /
          static_cast<double>(to - from);
    }
  }
  // Nobody keeps to the middle of the lane.
  void wander() {
    for (const double wavelength : {random_.uniform(45, 70), random_.uniform(90, 160)}) {
      const double k = 2 * std::numbers::pi / wavelength, phase = random_.uniform(0, 6.28);
      const double amplitude = random_.uniform(0.05, 0.25);  // [m]
      for (std::size_t i = 0; i < street_.curvature.size(); ++i)
        street_.curvature[i] += amplitude * k * k * std::sin(k * kStep * static_cast<double>(i) + phase);
    }
  }
  void limit_speed() {
    auto& v = street_.speed;
    const double speeding_up = random_.uniform(1.2, 2.0), braking = random_.uniform(1.5, 2.6);  // [m/s²]
    for (std::size_t i = 0; i < v.size(); ++i) {
      v[i] =
          std::min(v[i], std::sqrt(habits_.lateral_acceleration / (std::abs(street_.curvature[i]) + 1e-6)));
      if (street_.wait[i] > 0) v[i] = 0;
    }
    v.front() = std::min(v.front(), random_.uniform(0, habits_.fastest));
    for (std::size_t i = 1; i < v.size(); ++i)
      v[i] = std::min(v[i], std::sqrt(v[i - 1] * v[i - 1] + 2 * speeding_up * kStep));
    for (std::size_t i = v.size() - 1; i-- > 0;)
      v[i] = std::min(v[i], std::sqrt(v[i + 1] * v[i + 1] + 2 * braking * kStep));
  }

  Habits habits_;
  Random random_;
  Street street_;
  double free_speed_ = 0, heading_ = 0;
};

// Drives along the street; the sensor is ahead of the axle that follows it.
Route drive_along(const Street& street, double seconds, double lever_arm) {
  std::vector<double> times;
  std::vector<SE2> poses;
  const SE2 T_axle_sensor = {lever_arm, 0, 0};
  SE2 T_world_axle;
  double reached = 0, next = -0.5;  // [s]
  const auto knot = [&](double along, double curvature) {
    times.push_back(next);
    poses.push_back(T_world_axle * SE2::exp({along, 0, along * curvature}) * T_axle_sensor);
    next += kKnotTime;
  };
  double from = -0.5;
  for (std::size_t i = 0; i + 1 < street.speed.size() && reached < seconds; ++i) {
    const double v0 = street.speed[i], v1 = street.speed[i + 1];
    for (from += street.wait[i]; next < from;) knot(0, 0);
    const double duration = 2 * kStep / (v0 + v1), acceleration = (v1 - v0) / duration;
    while (next < from + duration) {
      const double t = next - from;
      knot(v0 * t + 0.5 * acceleration * t * t, street.curvature[i]);
    }
    T_world_axle = T_world_axle * SE2::exp({kStep, 0, kStep * street.curvature[i]});
    from += duration;
    reached = from;
  }
  return Route(std::move(times), std::move(poses));
}

}  // namespace

Drive make_drive(const SimulatorConfig& config) {
  Random random(mix(config.seed, 'd'));
  const double turn_time = kTurnTime * random.uniform(0.99, 1.01);
  const double seconds = config.scans * turn_time + 1;
  const double lever_arm = random.uniform(0, 1.5);  // [m]
  const Street street = StreetMaker(config).make(seconds * habits_of(config.style).fastest + 100);
  Drive drive{drive_along(street, seconds, lever_arm), {}, {}, {}};
  for (int i = 0; i < config.scans; ++i) {
    drive.timestamps.push_back(kFirstTimestamp + std::llround(i * turn_time * 1e6));
    drive.turn_times.push_back(turn_time);
  }
  const SE2 T_first_world = drive.route.at(turn_time / 2).inverse();
  for (std::size_t i = 0; i < drive.timestamps.size(); ++i)
    drive.poses.push_back(T_first_world * drive.route.at(drive.start(i) + turn_time / 2));
  return drive;
}

}  // namespace fmbym::simulator
