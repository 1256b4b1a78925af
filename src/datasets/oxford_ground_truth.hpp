// gt/radar_odometry.csv: the vehicle's motion from scan to scan.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/oxford_index.hpp"
#include "fmbym/core/se2.hpp"

namespace fmbym::oxford {

// The file calls the earlier scan the destination, because its transform takes points from the later scan to
// there: that is the later scan's pose in the earlier one's frame.
struct Increment {
  std::int64_t earlier = 0;  // timestamps of the scans [µs]
  std::int64_t later = 0;
  SE2 T_earlier_later;
};

struct GroundTruth {
  std::vector<std::optional<SE2>>
      poses;                         // a scan, in the frame of the first scan that has one; empty if none has
  std::vector<std::string> remarks;  // on holes
};

// A file that is absent is normal: many sequences have no ground truth.
GroundTruth read_ground_truth(const std::filesystem::path& csv, const std::vector<ScanFile>& scans);
// The same from memory; `csv` stands for the file in messages.
GroundTruth parse_ground_truth(std::string_view contents, const std::filesystem::path& csv,
                               const std::vector<ScanFile>& scans);

// The lines of the file; throws Error naming the first that is none.
std::vector<Increment> parse_increments(std::string_view contents, const std::filesystem::path& csv);

}  // namespace fmbym::oxford
