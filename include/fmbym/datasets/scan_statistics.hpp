// What scans look like in numbers: to compare simulated ones with real ones.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "fmbym/datasets/dataset.hpp"

namespace fmbym {

struct ScanStatistics {
  static constexpr std::array<double, 8> kQuantiles = {5, 25, 50, 75, 90, 95, 99, 99.9};  // [%]
  static constexpr std::size_t kLags = 4;

  std::size_t scans = 0;
  double mean = 0, deviation = 0;  // of the power [counts]
  std::array<double, kQuantiles.size()> quantiles{};
  struct Band {
    double from, to;  // range [m]
    double mean;      // power [counts]
  };
  std::vector<Band> bands;
  std::array<double, kLags> range_correlation{};    // of bins 1 … 4 apart
  std::array<double, kLags> azimuth_correlation{};  // of rows 1 … 4 apart
  double time_correlation = 0;                      // of one scan with the next, row by row
};

// From pairs of neighbouring scans at `places` places, spread evenly over the sequence. Throws Error where
// there are fewer than two scans.
ScanStatistics scan_statistics(const Dataset& dataset, std::size_t places);

}  // namespace fmbym
