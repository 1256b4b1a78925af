// From the echoes of one azimuth to the bytes of one row: range response, noise, and the logarithm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fmbym/datasets/simulator.hpp"

namespace fmbym::simulator {

// The amplitude of something with that many counts: half a decibel each, 1 at 0.
float amplitude_of(float counts);

// A reflector as it comes in at one azimuth.
struct Echo {
  int row;
  float bin;        // fractional
  float amplitude;  // of the signal
  float phase;      // in turns
};

class Receiver {
 public:
  explicit Receiver(const SimulatorConfig& config);

  // The signal along range, to be used again for the next row.
  struct Signal {
    std::vector<float> re, im;
  };
  // Row `row` of scan `scan`; the same bytes every time.
  void record(std::span<const Echo> echoes, std::uint64_t scan, std::uint64_t row, Signal& signal,
              std::span<std::uint8_t> counts) const;

 private:
  void tabulate_response();
  void tabulate_noise();
  void leak(std::uint64_t scan, std::uint64_t row, Signal& signal) const;
  void add(const Echo& echo, Signal& signal) const;
  void add_noise(double energy, std::uint64_t scan, std::uint64_t row, Signal& signal) const;

  std::uint64_t seed_;
  int azimuths_, bins_;
  double range_resolution_;
  double noise_power_;
  double streak_energy_;                    // of the echoes of a row that double its noise
  float reverberation_;                     // power of the echoes' tail, of the echoes' own
  float decay_;                             // of that tail, from bin to bin
  double null_;                             // from the peak of the range response to its first zero [bins]
  int taps_, main_taps_;                    // of the response on either side
  std::vector<float> response_;             // (fraction of a bin, tap)
  std::vector<float> noise_re_, noise_im_;  // of power 1
  std::vector<float> wave_;                 // a turn of a cosine
};

}  // namespace fmbym::simulator
