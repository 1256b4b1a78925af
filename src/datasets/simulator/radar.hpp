// The sensor: what a turning FMCW radar makes of its surroundings. Every azimuth is measured from where the
// sensor is at that moment; amplitudes add up with their phases, so that rough surfaces speckle.
#pragma once

#include <cstdint>
#include <vector>

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
  // A reflector as it comes in at one azimuth.
  struct Echo {
    int row;
    float bin, amplitude, phase;  // phase in turns
  };

  std::vector<Look> looks_of(const Turn& turn, const Route& route, const PolarScan& scan) const;
  // The row at which the beam meets a place that moves, from the row where to begin; fractional.
  double row_facing(const Vec2& place, const Vec2& velocity, double guess,
                    const std::vector<Look>& looks) const;
  double first_guess(const Vec2& place, const std::vector<Look>& looks) const;
  Shadows cast_shadows(const std::vector<Shadow>& shadows, const std::vector<Look>& looks) const;
  void receive(const Scatterer& scatterer, double row, const std::vector<Look>& looks, const Shadows& shadows,
               std::uint64_t number, std::vector<Echo>& echoes) const;
  void leak(int row, std::uint64_t number, std::vector<Echo>& echoes) const;
  void tabulate_response();
  void tabulate_beam();
  void tabulate_noise();
  void add(const Echo& echo, float* re, float* im) const;
  double noise_of(int row, double energy, std::uint64_t number) const;

  std::uint64_t seed_;
  int azimuths_, bins_;
  double range_resolution_, azimuth_offset_;
  int first_encoder_;
  double noise_power_, falloff_, streak_energy_;
  double null_;                  // from the peak of the range response to its first zero [bins]
  int taps_, main_taps_;         // of the response on either side
  std::vector<float> response_;  // (fraction of a bin, tap)
  std::vector<float> beam_;      // amplitude against the angle off the beam, both ways
  int beam_rows_, main_rows_;    // on either side
  std::vector<float> noise_re_, noise_im_;
  std::vector<float> wave_;  // a turn of a cosine
};

}  // namespace fmbym::simulator
