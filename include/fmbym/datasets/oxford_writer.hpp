// Writes a sequence in the Oxford layout, with its sensor file. It is whole or not there: everything goes
// into a folder beside it that takes its name at the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fmbym/core/polar_scan.hpp"
#include "fmbym/core/se2.hpp"
#include "fmbym/datasets/dataset.hpp"

namespace fmbym::oxford {

class SequenceWriter {
 public:
  // Throws Error if there is anything of that name, or no writing beside it.
  SequenceWriter(std::filesystem::path folder, const SensorCalibration& sensor);
  ~SequenceWriter();  // what is not finished is removed
  SequenceWriter(const SequenceWriter&) = delete;
  SequenceWriter& operator=(const SequenceWriter&) = delete;

  // The next scan, and its pose in the middle of the turn, in any one frame.
  void add(const PolarScan& scan, const SE2& T_world_scan);
  // `made_by` is for the sensor file: the program and the command.
  void finish(const std::string& made_by);

 private:
  struct Entry {
    std::int64_t start_us, middle_us;
    SE2 T_world_scan;
  };
  std::string increments() const;

  std::filesystem::path folder_, unfinished_;
  SensorCalibration sensor_;
  std::vector<Entry> entries_;
  bool finished_ = false;
};

}  // namespace fmbym::oxford
