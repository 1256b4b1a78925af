// The sensor: what a turning FMCW radar makes of its surroundings. Every azimuth is measured from where the
// sensor is at that moment; amplitudes add up with their phases, so that rough surfaces speckle.
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/simulator/receiver.hpp"
#include "datasets/simulator/route.hpp"
#include "datasets/simulator/shadows.hpp"
#include "datasets/simulator/town.hpp"
#include "fmbym/core/polar_scan.hpp"

namespace fmbym::simulator {

struct Turn {
  std::int64_t timestamp_us = 0;
  double start = 0, duration = 0;  // on the route [s]
};

class Radar {
 public:
  explicit Radar(const SimulatorConfig& config);

  double reach() const { return bins_ * range_resolution_; }  // [m]
  // At full size; `number` is the scan's, for the noise.
  PolarScan measure(const Turn& turn, const Route& route, const Surroundings& surroundings,
                    std::uint64_t number) const;

 private:
  // One azimuth of the turn.
  struct Look {
    Vec2 from;       // the sensor, in the world [m]
    Vec2 direction;  // unit vector
    double angle;    // of that, clockwise from the world's x axis [rad]
    double since;    // the middle of the turn [s]
  };
  using Looks = std::vector<Look>;

  void tabulate_beam();
  PolarScan empty_scan(const Turn& turn) const;
  Looks looks_of(const Turn& turn, const Route& route, const PolarScan& scan) const;
  // The row at which the beam meets a place that moves, from the row where to begin; fractional.
  double row_facing(const Vec2& place, const Vec2& velocity, double guess, const Looks& looks) const;
  double first_guess(const Vec2& place, const Looks& looks) const;
  Shadows cast_shadows(const std::vector<Shadow>& shadows, const Looks& looks) const;
  std::vector<Echo> receive_all(const Surroundings& surroundings, const Looks& looks,
                                std::uint64_t number) const;
  void receive(const Scatterer& scatterer, double row, const Looks& looks, const Shadows& shadows,
               std::uint64_t number, std::vector<Echo>& echoes) const;
  // At the place of the scatterer, as seen from the row that faces it; in counts.
  float strength(const Scatterer& scatterer, const Look& look, std::uint64_t chance) const;

  std::uint64_t seed_;
  int azimuths_, bins_;
  double range_resolution_, azimuth_offset_;
  int first_encoder_;
  double falloff_;           // power falls with the range to this power
  std::vector<float> beam_;  // amplitude against the angle off the beam, both ways
  int beam_rows_ = 0, shoulder_rows_ = 0, main_rows_ = 0;  // on either side
  Receiver receiver_;
};

}  // namespace fmbym::simulator
