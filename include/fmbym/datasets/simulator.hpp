// A spinning FMCW radar driven through a town that never was: scans are rendered when they are read, and
// their poses are known exactly. docs/simulator.md says what it models and what it does not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fmbym/datasets/dataset.hpp"

namespace fmbym {

enum class TownStyle { urban, suburban, highway, park };
TownStyle parse_town_style(std::string_view name);  // throws Error
std::string to_string(TownStyle style);

struct SimulatorConfig {
  std::uint64_t seed = 1;  // of everything: town, route, traffic, sensor, noise
  int scans = 400;         // at most, with a drive
  TownStyle style = TownStyle::urban;
  std::filesystem::path drive;       // an Oxford csv with the motion to make; empty: a route of our own
  std::optional<int> moving;         // cars within reach at a time; absent: as the style has them
  double noise = 1;                  // receiver noise, times the usual power
  double range_resolution = 0.0438;  // [m] a bin
  int bins = 0;                      // a row; 0: as many as reach 165 m
  int azimuths = 400;                // a turn
  bool reduced = false;              // few bins, large and coarse: smaller and faster
  double azimuth_offset = 0.0103;    // of the encoder, as Oxford's [rad]

  void validate() const;  // throws Error naming the option
};

// One scan is one turn: azimuth a of n is measured a/n of the turn after the scan's timestamp, from where the
// sensor is then. A scan's pose is that of half a turn after its timestamp, as in the Oxford ground truth.
class Simulator : public Dataset {
 public:
  explicit Simulator(const SimulatorConfig& config);  // throws Error
  ~Simulator() override;

  std::string format() const override { return "simulated"; }
  std::size_t size() const override;
  std::int64_t timestamp_us(std::size_t index) const override;
  std::filesystem::path file(std::size_t index) const override;  // a name; there is no such file
  PolarScan read(std::size_t index) const override;              // renders it; always the same bytes
  const SensorCalibration& calibration() const override;
  const std::vector<std::optional<SE2>>& ground_truth() const override;
  const std::vector<std::string>& remarks() const override;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace fmbym
