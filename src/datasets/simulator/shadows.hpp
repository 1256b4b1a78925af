// What is lost on the way to a range, ray by ray.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace fmbym::simulator {

class Shadows {
 public:
  static constexpr int kRays = 2;  // an azimuth

  // Something that lets only part of the power through.
  struct Veil {
    int ray;
    float range;   // [m]
    float counts;  // lost behind it
  };

  Shadows(std::vector<Veil> veils, int azimuths)
      : veils_(std::move(veils)), rays_(kRays * azimuths), first_(static_cast<std::size_t>(rays_) + 1) {
    std::sort(veils_.begin(), veils_.end(), [](const Veil& a, const Veil& b) {
      return std::pair(a.ray, a.range) < std::pair(b.ray, b.range);
    });
    for (const Veil& veil : veils_) ++first_[static_cast<std::size_t>(veil.ray) + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  }

  // Lost before that range [counts]; a thing does not shadow what is at its own place.
  float before(double row, double range) const {
    constexpr double own = 0.7;  // [m]
    constexpr float most = 90;   // something always comes round the edges
    const int ray = std::clamp(static_cast<int>(std::lround(kRays * row)), 0, rays_ - 1);
    float lost = 0;
    for (std::size_t i = first_[static_cast<std::size_t>(ray)]; i < first_[static_cast<std::size_t>(ray) + 1];
         ++i) {
      if (veils_[i].range > range - own) break;
      lost += veils_[i].counts;
    }
    return std::min(lost, most);
  }

 private:
  std::vector<Veil> veils_;  // in order of ray and range
  int rays_;
  std::vector<std::size_t> first_;  // of each ray
};

}  // namespace fmbym::simulator
