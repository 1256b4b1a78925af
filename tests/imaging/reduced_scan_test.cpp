// Real scans, full size and reduced: one image from either.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fmbym/datasets/oxford.hpp"
#include "fmbym/imaging/cartesian_imager.hpp"
#include "support/real_data.hpp"

namespace fmbym {
namespace {

constexpr int kKeptBins = 1728, kAveraged = 4, kStep = 4;

// The first 1728 bins, averages of 4 of them, rounded to multiples of 4.
PolarScan reduce(const PolarScan& full) {
  PolarScan reduced = full;
  reduced.bins = kKeptBins / kAveraged;
  reduced.range_resolution = full.range_resolution * kAveraged;
  reduced.power.clear();
  for (int a = 0; a < full.azimuths(); ++a) {
    for (int bin = 0; bin < kKeptBins; bin += kAveraged) {
      double sum = 0;
      for (int i = 0; i < kAveraged; ++i) sum += full.row(a)[bin + i];
      const long rounded = kStep * std::lround(sum / kAveraged / kStep);
      reduced.power.push_back(static_cast<std::uint8_t>(std::min(rounded, 255L)));
    }
  }
  return reduced;
}

TEST(ReducedScan, GivesNearlyTheImageOfTheFullScan) {
  FMBYM_NEEDS_REAL_DATA("oxford-tiny");
  for (const int size : {127, 255}) {
    CartesianImager imager(imaging_for_resolution(size));
    for (const char* name : {"1547131046353776.png", "1547131048845472.png"}) {
      const PolarScan full = oxford::read_scan(testing::real_data("oxford-tiny/radar") / name);
      ASSERT_GE(full.bins, kKeptBins);
      const Image from_full = imager.form(full), from_reduced = imager.form(reduce(full));
      double squares = 0, energy = 0;
      for (std::size_t i = 0; i < from_full.pixels().size(); ++i) {
        squares += std::pow(from_full.pixels()[i] - from_reduced.pixels()[i], 2);
        energy += std::pow(from_full.pixels()[i], 2);
      }
      const double rms = std::sqrt(squares / static_cast<double>(from_full.pixels().size()));
      // Rounding to multiples of 4 is an error of 4/√12 = 1.15 counts a bin, 0.0045 of full scale; pixels
      // average two bins or more and two azimuths, so a little above half of it remains. The image's own RMS
      // is ten times that.
      EXPECT_LT(rms, 0.004) << size << ' ' << name;
      EXPECT_GT(std::sqrt(energy / static_cast<double>(from_full.pixels().size())), 0.04);
    }
  }
}

}  // namespace
}  // namespace fmbym
