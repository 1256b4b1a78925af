// Reading positions off correlation coefficients, as matching/peak.hpp does, with gradients.
#pragma once

#include <torch/types.h>

#include "fmbym/matching/matcher.hpp"

namespace fmbym::training {

// Positions are in lags from the middle of curves and surfaces of 2·lags + 1 a side. A parabola's gradient
// is that of its vertex, the highest cell held fixed.
class PeakReader {
 public:
  PeakReader(PeakPolicy policy, double temperature, int lags, const torch::TensorOptions& options);

  // (batch, side) → (batch). A temperature [%], a single number, goes before the one at hand.
  torch::Tensor curve_position(const torch::Tensor& scores, const torch::Tensor& temperature = {}) const;
  // (batch, side, side) → (batch, 2)
  torch::Tensor surface_position(const torch::Tensor& scores, const torch::Tensor& temperature = {}) const;

  // Of the true position, (batch) of a curve, (batch, 2) of a surface.
  torch::Tensor curve_surprise(const torch::Tensor& scores, const torch::Tensor& truth,
                               const torch::Tensor& temperature) const;
  torch::Tensor surface_surprise(const torch::Tensor& scores, const torch::Tensor& truth,
                                 const torch::Tensor& temperature) const;

 private:
  torch::Tensor weights(const torch::Tensor& scores, const torch::Tensor& temperature) const;

  PeakPolicy policy_;
  double temperature_;
  torch::Tensor lags_;  // -lags … lags
};

// How much of a position belongs to each candidate: all to the two around it, by their nearness.
// (batch) → (batch, candidate); none where it is beyond them all
torch::Tensor shares_of(const torch::Tensor& position, const torch::Tensor& candidates, double step = 1);

// -ln of the weights that a soft arg-max of this temperature [%] gives to candidates, mean over these shares
// of them: both (batch, candidate) → (batch).
torch::Tensor surprise(const torch::Tensor& scores, const torch::Tensor& shares,
                       const torch::Tensor& temperature);

// Vertices of the parabolas through the highest scores and their neighbours.
torch::Tensor curve_vertex(const torch::Tensor& scores);  // (batch, side) → (batch)
torch::Tensor surface_vertex(
    const torch::Tensor& scores);  // (batch, side, side) → (batch, 2), row and column

}  // namespace fmbym::training
