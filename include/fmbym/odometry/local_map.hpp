// What the sensor has seen around it lately, in one image that stands still while the vehicle moves.
#pragma once

#include "fmbym/core/image.hpp"
#include "fmbym/core/se2.hpp"

namespace fmbym {

struct MapConfig {
  double keyframe_distance = 3;   // a scan joins the map when the vehicle has moved this far [m] …
  double keyframe_angle = 0.087;  // … or turned this much [rad] since the last one that did
  double fade = 0.9;              // weight of all former scans when one joins; 0: the map is the last scan

  void validate() const;  // throws Error
};

// Scans are drawn once, where they were taken, and looked at once: nothing is resampled again and again. The
// image moves along by whole pixels when the vehicle leaves its middle.
class LocalMap {
 public:
  LocalMap(const MapConfig& config, int size, double metres_per_pixel);  // of the scans' images

  bool empty() const { return weight_ == 0; }
  void clear();
  // Far enough from the last scan that joined.
  bool is_keyframe(const SE2& T_world_scan) const;
  void add(const Image& scan, const SE2& T_world_scan);
  // The weighted mean of the scans, as an image of their size seen from this pose.
  void look_from(const SE2& T_world_view, Image& view) const;

 private:
  SE2 in_map(const SE2& T_world_scan) const;
  void centre_on(const SE2& T_world_scan);

  MapConfig config_;
  Image sum_;             // aligned with the world's axes, large enough for a scan turned any way
  double x_ = 0, y_ = 0;  // its middle in the world [m]
  // Former scans fade because later ones weigh more.
  double gain_ = 1;    // of the last scan
  double weight_ = 0;  // of all
  SE2 last_;           // keyframe
};

}  // namespace fmbym
