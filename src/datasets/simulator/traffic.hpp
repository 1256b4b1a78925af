// The others on the road: cars that come towards the vehicle, and cars that drive along with it.
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/simulator/spine.hpp"
#include "datasets/simulator/town.hpp"

namespace fmbym::simulator {

constexpr double kLane = 3.3;  // width [m]

// Where those who come towards the vehicle drive: 1 to its right, -1 to its left.
double oncoming_side(std::uint64_t seed);

class Traffic {
 public:
  Traffic(const Spine& spine, const SimulatorConfig& config);

  // The cars as they are at that time, with their velocities.
  void add_to(Surroundings& surroundings, double time) const;

 private:
  struct Car {
    bool oncoming;
    double place;         // along the road at time 0, or ahead of the vehicle [m]
    double speed;         // of those that come [m/s]
    double sway, rhythm;  // how the distance of those that drive along changes [m, rad/s]
    double lane;          // to the right [m]
    Surroundings body;    // in its own frame
  };
  SE2 pose(const Car& car, double time) const;

  const Spine& spine_;
  std::vector<Car> cars_;
};

}  // namespace fmbym::simulator
