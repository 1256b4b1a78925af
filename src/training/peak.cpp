#include "training/peak.hpp"

namespace fmbym::training {
namespace {

// Offset within ±0.5 of the vertex of the parabola through three scores.
torch::Tensor parabola_offset(const torch::Tensor& before, const torch::Tensor& middle,
                              const torch::Tensor& after) {
  const torch::Tensor curvature = before - 2 * middle + after;
  const torch::Tensor curved = curvature < 0;
  const torch::Tensor divisor = torch::where(curved, 2 * curvature, torch::ones_like(curvature));
  return torch::where(curved, ((before - after) / divisor).clamp(-0.5, 0.5), torch::zeros_like(divisor));
}

// Where the peak lies along one axis: `best` cells from the start, refined by the scores before and after it.
// Those are `stride` apart in the flattened scores, in which the best is at `cell`.
torch::Tensor vertex_along(const torch::Tensor& scores, const torch::Tensor& cell, const torch::Tensor& best,
                           std::int64_t stride, std::int64_t side) {
  const auto score_at = [&](const torch::Tensor& cells) {
    return scores.gather(1, cells.clamp(0, scores.size(1) - 1).unsqueeze(1)).squeeze(1);
  };
  const torch::Tensor offset =
      parabola_offset(score_at(cell - stride), score_at(cell), score_at(cell + stride));
  const torch::Tensor inner = (best > 0) & (best < side - 1);
  return best - side / 2 + torch::where(inner, offset, torch::zeros_like(offset));
}

}  // namespace

torch::Tensor curve_vertex(const torch::Tensor& scores) {
  const torch::Tensor best = scores.detach().argmax(1);
  return vertex_along(scores, best, best, 1, scores.size(1));
}

torch::Tensor surface_vertex(const torch::Tensor& surface) {
  const std::int64_t side = surface.size(2);
  const torch::Tensor scores = surface.flatten(1);
  const torch::Tensor cell = scores.detach().argmax(1);
  const torch::Tensor row = cell.div(side, "floor"), column = cell.remainder(side);
  return torch::stack(
      {vertex_along(scores, cell, row, side, side), vertex_along(scores, cell, column, 1, side)}, 1);
}

torch::Tensor shares_of(const torch::Tensor& position, const torch::Tensor& candidates, double step) {
  return (1 - (position.unsqueeze(1) - candidates).abs() / step).clamp_min(0);
}

torch::Tensor surprise(const torch::Tensor& scores, const torch::Tensor& shares,
                       const torch::Tensor& temperature) {
  return -(shares * torch::log_softmax(scores * (100 / temperature), 1)).sum(1);
}

PeakReader::PeakReader(PeakPolicy policy, double temperature, int lags, const torch::TensorOptions& options)
    : policy_(policy), temperature_(temperature), lags_(torch::arange(-lags, lags + 1, options)) {}

torch::Tensor PeakReader::curve_position(const torch::Tensor& scores,
                                         const torch::Tensor& temperature) const {
  if (policy_ == PeakPolicy::parabola) return curve_vertex(scores);
  return (weights(scores, temperature) * lags_).sum(1);
}

torch::Tensor PeakReader::surface_position(const torch::Tensor& scores,
                                           const torch::Tensor& temperature) const {
  if (policy_ == PeakPolicy::parabola) return surface_vertex(scores);
  const torch::Tensor cells = weights(scores.flatten(1), temperature).view(scores.sizes());
  return torch::stack({(cells.sum(2) * lags_).sum(1), (cells.sum(1) * lags_).sum(1)}, 1);
}

torch::Tensor PeakReader::curve_surprise(const torch::Tensor& scores, const torch::Tensor& truth,
                                         const torch::Tensor& temperature) const {
  return surprise(scores, shares_of(truth, lags_), temperature);
}

torch::Tensor PeakReader::surface_surprise(const torch::Tensor& scores, const torch::Tensor& truth,
                                           const torch::Tensor& temperature) const {
  const torch::Tensor shares =
      shares_of(truth.select(1, 0), lags_).unsqueeze(2) * shares_of(truth.select(1, 1), lags_).unsqueeze(1);
  return surprise(scores.flatten(1), shares.flatten(1), temperature);
}

torch::Tensor PeakReader::weights(const torch::Tensor& scores, const torch::Tensor& temperature) const {
  return torch::softmax(temperature.defined() ? scores * (100 / temperature) : scores * (100 / temperature_),
                        1);
}

}  // namespace fmbym::training
