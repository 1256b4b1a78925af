// From a polar scan to a Cartesian image: bilinear in azimuth by the true encoder angles, averaged over the
// pixel's extent in range. What depends on the geometry alone is tabulated once. A sensor that moves while it
// turns sees every azimuth from another pose; the image can be formed as from one.
#pragma once

#include <cstdint>
#include <vector>

#include "fmbym/core/image.hpp"
#include "fmbym/core/polar_scan.hpp"
#include "fmbym/core/se2.hpp"
#include "fmbym/imaging/range_profile.hpp"

namespace fmbym {

struct ImagingConfig {
  int size = 255;                 // pixels a side, odd so that the sensor is in the middle of a pixel
  double metres_per_pixel = 0.4;  // the paper's at 255

  void validate() const;  // throws Error
};

// The paper's 0.8, 0.4 and 0.2 m a pixel at 127, 255 and 511, and the like between them: one square of 102 m
// a side.
ImagingConfig imaging_for_resolution(int size);

class CartesianImager {
 public:
  explicit CartesianImager(const ImagingConfig& config);

  // Power from 0 to 1; pixels beyond the scan's range are 0. Pass a former image to reuse its memory.
  Image form(const PolarScan& scan, Image recycled = {});

  // In two steps, so that one scan can be masked, and imaged with several motions.
  void load(const PolarScan& scan);             // averages the ranges
  RangeProfile& profile() { return profile_; }  // of the scan loaded; may be masked in place
  // As seen from the sensor at the middle of the turn, half a turn after the first azimuth, when it moves
  // with this velocity [m/s, m/s, rad/s], in its own frame. What it never faced is 0: a wedge at the seam
  // where it turned against the radar.
  Image form(const Twist2& velocity, Image recycled = {});

  // Of the scan loaded [s]: the slope of the azimuths' times, or a quarter of a second where they tell none.
  double turn_time() const { return turn_time_; }

 private:
  // Where a pixel lies, seen from the sensor.
  struct Pixel {
    float bearing;  // clockwise from straight ahead, in steps of the bearing table
    float range;    // in cells of the range profile
  };
  // A range between two cells of the range profile, in range bins.
  struct Edge {
    int bin;
    float fraction;
  };

  void tabulate_edges(const PolarScan& scan);
  void tabulate_rows(const PolarScan& scan);
  void average_ranges(const PolarScan& scan);
  Image fitting(Image recycled) const;
  void sample_pixels(Image& image) const;
  void trace_row(int r, const Twist2& motion);
  void sample_row(float* out) const;
  float sample(float steps, float range) const;

  ImagingConfig config_;
  int cells_;                         // of the range profile, each half a pixel long
  std::vector<Pixel> pixels_;         // (row, column)
  std::vector<float> row_at_;         // steps clockwise from the first azimuth → fractional azimuth row
  std::vector<Edge> edges_;           // half a pixel apart
  std::vector<float> scale_;          // from the power between a cell's edges to a mean from 0 to 1
  std::vector<std::uint32_t> total_;  // power of one azimuth summed up to each bin
  std::vector<float> power_to_edge_;  // and up to each edge

  // Of the scan loaded.
  RangeProfile profile_;
  float first_step_ = 0;  // bearing of the first azimuth, in steps of the bearing table
  double turn_time_ = 0;  // [s]

  // Of one row of pixels, for a sensor that moves.
  std::vector<float> standing_;  // when a standing one would face them, in steps from the middle of the turn
  std::vector<float> steps_;     // clockwise from the first azimuth, when it faced them
  std::vector<float> ranges_;    // and how far they were then, in cells; past the last if it never did

  // What edges_ and scale_ were made for.
  int bins_ = 0;
  double range_resolution_ = 0, range_offset_ = 0;
};

}  // namespace fmbym
