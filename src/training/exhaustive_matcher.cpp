#include "training/exhaustive_matcher.hpp"

#include <cmath>

#include "matching/translation_search.hpp"
#include "training/peak.hpp"

namespace fmbym::training {
namespace {

constexpr double kSamePeak = 2;  // [lag], as in matching/exhaustive.cpp

}  // namespace

struct ExhaustiveMatcher::Position {
  torch::Tensor yaw;    // (batch) [rad]
  torch::Tensor shift;  // (batch, 2): row and column [lag]
};

ExhaustiveMatcher::ExhaustiveMatcher(const ExhaustiveConfig& config, int size, double metres_per_pixel,
                                     const torch::TensorOptions& options)
    : config_(config),
      metres_per_pixel_(metres_per_pixel),
      steps_(config.yaw_steps()),
      yaw_(torch::arange(-steps_, steps_ + 1, options) * config.yaw_step),
      rotation_(yaw_, size),
      translation_(size, max_lag_pixels(config.max_translation, size, metres_per_pixel), config.remove_mean),
      lags_(torch::arange(-translation_.lags(), translation_.lags() + 1, options)) {
  config.validate();
}

torch::Tensor ExhaustiveMatcher::match(const torch::Tensor& current, const torch::Tensor& previous,
                                       const torch::Tensor& temperatures) const {
  const Position position = read(correlate(current, previous), temperatures);
  return finished_match(position.yaw, position.shift, metres_per_pixel_, current, previous);
}

JudgedPoses ExhaustiveMatcher::judge(const torch::Tensor& current, const torch::Tensor& previous,
                                     const torch::Tensor& truth, const torch::Tensor& temperatures) const {
  const torch::Tensor scores = correlate(current, previous);
  const Position position = read(scores, temperatures);
  const torch::Tensor true_shift = shift_of(truth, truth.select(1, 2), metres_per_pixel_);
  const torch::Tensor shares =
      shares_of(truth.select(1, 2), yaw_, config_.yaw_step).view({-1, yaw_.size(0), 1, 1}) *
      shares_of(true_shift.select(1, 0), lags_).view({-1, 1, lags_.size(0), 1}) *
      shares_of(true_shift.select(1, 1), lags_).view({-1, 1, 1, lags_.size(0)});
  return {finished_match(position.yaw, position.shift, metres_per_pixel_, current, previous),
          surprise(scores.flatten(1), shares.flatten(1), temperatures[1])};
}

ExhaustiveMatcher::Position ExhaustiveMatcher::read(const torch::Tensor& scores,
                                                    const torch::Tensor& temperatures) const {
  const torch::Tensor highest = scores.amax({2, 3});  // of each candidate
  const torch::Tensor logits =
      temperatures.defined() ? scores * (100 / temperatures[1]) : scores * (100 / config_.temperature);
  Position position = soft_position(torch::softmax(logits.flatten(1), 1).view(scores.sizes()));
  if (config_.yaw_peak == PeakPolicy::parabola) position.yaw = curve_vertex(highest) * config_.yaw_step;
  if (config_.translation_peak == PeakPolicy::parabola)
    position.shift = vertex_at(position.yaw, scores, highest);
  return position;
}

// (batch, candidate, side, side)
torch::Tensor ExhaustiveMatcher::correlate(const torch::Tensor& current,
                                           const torch::Tensor& previous) const {
  const torch::Tensor turned = rotation_(previous.expand({yaw_.size(0), -1, -1, -1})).transpose(0, 1);
  return translation_.correlate(current.unsqueeze(1), turned);
}

// The soft arg-max over the three axes.
ExhaustiveMatcher::Position ExhaustiveMatcher::soft_position(const torch::Tensor& weights) const {
  const auto mean = [&](at::IntArrayRef others, const torch::Tensor& places) {
    return (weights.sum(others) * places).sum(1);
  };
  return {mean({2, 3}, yaw_), torch::stack({mean({1, 3}, lags_), mean({1, 2}, lags_)}, 1)};
}

// A little rotation can look like a little shift, so that the shift belongs to its rotation: linear between
// the two candidates around it, where they show the same peak, else that of the best.
torch::Tensor ExhaustiveMatcher::vertex_at(const torch::Tensor& yaw, const torch::Tensor& scores,
                                           const torch::Tensor& highest) const {
  const torch::Tensor vertices = surface_vertex(scores.flatten(0, 1)).view({scores.size(0), -1, 2});
  const auto vertex_of = [&](const torch::Tensor& candidate) {
    return vertices.gather(1, candidate.view({-1, 1, 1}).expand({-1, 1, 2})).squeeze(1);
  };
  const torch::Tensor candidate = (yaw / config_.yaw_step + steps_).clamp(0, 2 * steps_);
  const torch::Tensor below = candidate.detach().floor(), above = candidate.detach().ceil();
  const torch::Tensor before = vertex_of(below.to(torch::kLong)), after = vertex_of(above.to(torch::kLong));
  const torch::Tensor between = before + (candidate - below).unsqueeze(1) * (after - before);
  const torch::Tensor same_peak = (after - before).detach().norm(2, 1, true) <= kSamePeak;
  return torch::where(same_peak, between, vertex_of(highest.detach().argmax(1)));
}

}  // namespace fmbym::training
