#include "training/consistency.hpp"

#include <algorithm>

#include "fmbym/core/warp.hpp"

namespace fmbym::training {
namespace {

constexpr int kNeighbours = 4;   // scans before and as many after
constexpr float kReturn = 0.2f;  // of full scale; weaker is noise

}  // namespace

Consistency::Consistency(int size) : votes_(std::size_t(size) * std::size_t(size)), target_(votes_.size()) {}

// A median above the threshold is a majority above it.
const std::vector<unsigned char>& Consistency::seen_from(const SE2& T_world_view, std::size_t scan,
                                                         const std::vector<Image>& images,
                                                         const std::vector<std::optional<SE2>>& T_world) {
  std::fill(votes_.begin(), votes_.end(), 0);
  const std::size_t first = scan - std::min<std::size_t>(scan, kNeighbours),
                    last = std::min(scan + kNeighbours + 1, images.size());
  int voters = 0;
  for (std::size_t i = first; i < last; ++i) {
    if (i == scan || !T_world[i]) continue;
    ++voters;
    unsigned char* row = nullptr;
    const int n = images[i].size();
    warp_image(
        images[i], T_world[i]->inverse() * T_world_view, n,
        [&](int r, int, int) { row = votes_.data() + std::ptrdiff_t(r) * n; },
        [&](int column, float value) {
          if (value > kReturn) ++row[column];
        });
  }
  std::transform(votes_.begin(), votes_.end(), target_.begin(),
                 [voters](unsigned char votes) -> unsigned char { return 2 * votes > voters; });
  return target_;
}

}  // namespace fmbym::training
