#include "calibration/stretches.hpp"

#include <algorithm>
#include <cmath>

namespace fmbym {
namespace {

constexpr double kBlockLength = 100;      // [m]
constexpr std::size_t kFewestBlocks = 8;  // shorter ones rather than fewer

double length(const Vec2& displacement) {
  return std::hypot(displacement.x, displacement.y);
}

struct Displacement {
  Vec2 shift;  // in the frame half-way through the turn: the chord of an arc, seen from its middle
  double turn;
};

Displacement displacement(const std::vector<SE2>& poses, std::size_t from, std::size_t to) {
  const SE2 T = poses[from].inverse() * poses[to];
  return {rotate(-T.yaw / 2, {T.x, T.y}), T.yaw};
}

// Equal shares of the distance.
void assign_blocks(Stretches& stretches, Judge judge) {
  const auto wanted = static_cast<std::size_t>(stretches.distance / kBlockLength);
  stretches.blocks = std::min(stretches.all.size(), std::max(wanted, kFewestBlocks));
  double driven = 0;
  for (Stretch& stretch : stretches.all) {
    const double share = driven / stretches.distance * static_cast<double>(stretches.blocks);
    stretch.block = std::min(static_cast<std::size_t>(share), stretches.blocks - 1);
    driven += length(judge == Judge::truth ? stretch.truth : stretch.estimated);
  }
}

}  // namespace

Stretches cut_into_stretches(const std::vector<DrivenPath>& paths, const StretchRules& rules, Judge judge) {
  Stretches stretches;
  for (const DrivenPath& path : paths) {
    if (judge == Judge::truth && path.T_world_true.empty()) continue;
    for (std::size_t to = rules.steps; to < path.T_world_estimated.size(); to += rules.steps) {
      const auto estimated = displacement(path.T_world_estimated, to - rules.steps, to);
      const auto judged =
          judge == Judge::truth ? displacement(path.T_world_true, to - rules.steps, to) : estimated;
      if (length(judged.shift) < rules.min_distance || std::abs(judged.turn) > rules.max_turn) continue;
      stretches.all.push_back({estimated.shift, judged.shift, estimated.turn, 0});
      stretches.distance += length(judged.shift);
    }
  }
  assign_blocks(stretches, judge);
  return stretches;
}

}  // namespace fmbym
