#include "fmbym/calibration/motion_fit.hpp"

#include <cmath>

#include "calibration/jackknife.hpp"
#include "calibration/robust_fit.hpp"
#include "calibration/stretches.hpp"

namespace fmbym {
namespace {

struct ScaleAndAngle {
  double scale = 1;
  double angle = 0;
};
constexpr std::size_t kNone = static_cast<std::size_t>(-1);  // leaves no block out

// estimated = a · true, with the complex a = exp(-i angle) / scale. The truth is on the right because it is
// the more exact: errors on that side would pull a towards 0.
ScaleAndAngle against_truth(const Stretches& stretches, std::size_t left_out) {
  std::vector<Observation> observations;
  for (const Stretch& s : stretches.all) {
    if (s.block == left_out) continue;
    Observation o;
    o.design << s.truth.x, -s.truth.y, s.truth.y, s.truth.x;
    o.observed << s.estimated.x, s.estimated.y;
    observations.push_back(o);
  }
  const Eigen::Vector2d a = robust_fit(observations);
  return {1 / a.norm(), -std::atan2(a.y(), a.x())};
}

// Where most of the way went.
double mean_direction(const Stretches& stretches, std::size_t left_out) {
  Vec2 sum;
  for (const Stretch& s : stretches.all)
    if (s.block != left_out) sum = {sum.x + s.estimated.x, sum.y + s.estimated.y};
  return std::atan2(sum.y, sum.x);
}

// Turned by the mean direction, a stretch has y = x · (what is left of the angle) + lever · turn: ahead of
// the rear axle by `lever`, the sensor swings out in a bend.
ScaleAndAngle against_axis(const Stretches& stretches, std::size_t left_out) {
  constexpr double usual_lever = 3;  // [m]
  const double direction = mean_direction(stretches, left_out);
  std::vector<Observation> observations;
  for (const Stretch& s : stretches.all) {
    const Vec2 along = rotate(-direction, s.estimated);
    if (s.block == left_out || along.x <= 0) continue;  // backwards
    Observation o;
    o.design << along.x, s.turn, 0, 0;
    o.observed << along.y, 0;
    observations.push_back(o);
  }
  const Eigen::Vector2d found = robust_fit(observations, {0, 1 / (usual_lever * usual_lever)});
  return {1, -(direction + found.x())};
}

template <class Fit>
MotionFit with_errors(const Stretches& stretches, const StretchRules& rules, const Fit& fit) {
  MotionFit result{{}, {}, stretches.all.size(), stretches.distance};
  if (stretches.all.size() < rules.fewest) return result;
  const ScaleAndAngle whole = fit(stretches, kNone);
  const auto scale = [&](std::size_t block) { return fit(stretches, block).scale; };
  const auto angle = [&](std::size_t block) { return wrap_angle(fit(stretches, block).angle - whole.angle); };
  result.scale = {whole.scale, jackknife_error(stretches.blocks, scale)};
  result.azimuth_offset = {wrap_angle(whole.angle), jackknife_error(stretches.blocks, angle)};
  return result;
}

}  // namespace

MotionFit fit_to_truth(const std::vector<DrivenPath>& paths, const StretchRules& rules) {
  return with_errors(cut_into_stretches(paths, rules, Judge::truth), rules, against_truth);
}

MotionFit fit_to_straight_driving(const std::vector<DrivenPath>& paths, const StretchRules& rules) {
  MotionFit fit = with_errors(cut_into_stretches(paths, rules, Judge::estimate), rules, against_axis);
  fit.scale.reset();
  return fit;
}

}  // namespace fmbym
