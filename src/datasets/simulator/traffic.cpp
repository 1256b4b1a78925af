#include "datasets/simulator/traffic.hpp"

#include <cmath>
#include <numbers>

#include "datasets/simulator/builder.hpp"
#include "datasets/simulator/random.hpp"

namespace fmbym::simulator {
namespace {

constexpr double kReach = 175;  // a car that falls behind by more comes again ahead [m]

int usual_cars(TownStyle style) {
  switch (style) {
    case TownStyle::urban:
      return 7;
    case TownStyle::suburban:
      return 5;
    case TownStyle::highway:
      return 12;
    case TownStyle::park:
      return 2;
  }
  return 0;
}

double speed_of(TownStyle style, Random& random) {
  return style == TownStyle::highway ? random.uniform(20, 32) : random.uniform(5, 14);
}

}  // namespace

double oncoming_side(std::uint64_t seed) {
  return mix(seed, 'o') % 2 == 0 ? 1 : -1;
}

Traffic::Traffic(const Spine& spine, const SimulatorConfig& config) : spine_(spine) {
  Random random(mix(config.seed, 'c'));
  const int count = config.moving.value_or(usual_cars(config.style));
  const double side = oncoming_side(config.seed);
  const bool wide = config.style == TownStyle::highway;
  const double apart = wide ? random.uniform(6, 11) : kLane;
  for (int i = 0; i < count; ++i) {
    Car car{};
    car.oncoming = random.chance(0.6);
    car.place = car.oncoming ? random.uniform(-kReach, kReach)
                             : random.sign() * (8 + 100 * random.uniform() * random.uniform());
    car.speed = speed_of(config.style, random);
    car.sway = random.uniform(0, std::abs(car.place) > 12 ? 6 : 1.5);
    car.rhythm = random.uniform(0.05, 0.4);
    car.lane = car.oncoming ? side * (apart + (wide && random.chance(0.4) ? kLane : 0))
                            : (wide && random.chance(0.5) ? -side * kLane : 0);
    car.body = make_car(random);
    cars_.push_back(std::move(car));
  }
}

SE2 Traffic::pose(const Car& car, double time) const {
  const double ego = spine_.along(time);
  if (!car.oncoming) {
    const double along = ego + car.place + car.sway * std::sin(car.rhythm * time);
    return spine_.at(along) * SE2{0, car.lane, 0};
  }
  const double ahead = car.place - car.speed * time - ego;
  const double wrapped = ahead - 2 * kReach * std::floor((ahead + kReach) / (2 * kReach));
  return spine_.at(ego + wrapped) * SE2{0, car.lane, std::numbers::pi};
}

void Traffic::add_to(Surroundings& surroundings, double time) const {
  constexpr double moment = 0.02;  // [s]
  std::uint32_t id = 0x80000000;
  for (const Car& car : cars_) {
    const SE2 now = pose(car, time), soon = pose(car, time + moment);
    Vec2 velocity = {(soon.x - now.x) / moment, (soon.y - now.y) / moment};
    if (std::hypot(velocity.x, velocity.y) > 60) velocity = {0, 0};  // it has just come again
    for (Scatterer s : car.body.scatterers) {
      const Vec2 place = now * Vec2{s.x, s.y}, normal = rotate(now.yaw, {s.normal_x, s.normal_y});
      s.x = static_cast<float>(place.x);
      s.y = static_cast<float>(place.y);
      s.normal_x = static_cast<float>(normal.x);
      s.normal_y = static_cast<float>(normal.y);
      s.velocity_x = static_cast<float>(velocity.x);
      s.velocity_y = static_cast<float>(velocity.y);
      s.id = id++;
      surroundings.scatterers.push_back(s);
    }
    for (const Shadow& side : car.body.shadows)
      surroundings.shadows.push_back({now * side.from, now * side.to, side.counts});
  }
}

}  // namespace fmbym::simulator
