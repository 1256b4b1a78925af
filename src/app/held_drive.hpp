// A simulated drive held in memory: every scan is rendered once, by several threads, and read as often as one
// likes.
#pragma once

#include <vector>

#include "fmbym/datasets/simulator.hpp"

namespace fmbym::app {

class HeldDrive final : public Dataset {
 public:
  // Shows how far it is. Leaves early, with the scans up to then, on Ctrl-C.
  HeldDrive(const SimulatorConfig& config, int threads);

  std::string format() const override { return simulator_.format(); }
  std::size_t size() const override { return scans_.size(); }
  std::int64_t timestamp_us(std::size_t index) const override { return simulator_.timestamp_us(index); }
  std::filesystem::path file(std::size_t index) const override { return simulator_.file(index); }
  PolarScan read(std::size_t index) const override { return scans_[index]; }
  const SensorCalibration& calibration() const override { return simulator_.calibration(); }
  const std::vector<std::optional<SE2>>& ground_truth() const override { return simulator_.ground_truth(); }
  const std::vector<std::string>& remarks() const override { return simulator_.remarks(); }

 private:
  Simulator simulator_;
  std::vector<PolarScan> scans_;
};

}  // namespace fmbym::app
