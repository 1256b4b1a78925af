// The correlation of image pairs as a function of the pose between them, and its derivatives.
#pragma once

#include <torch/types.h>

namespace fmbym::training {

// c(T) = Σ current(p) · previous(T p), as fmbym/matching/refinement.hpp reads it: the previous image smoothed
// and by quadratic B-splines, only the brighter pixels of the current one. Poses (batch, 3) are in pixels: x,
// y, and what yaw moves at the rim of the image, so that a step of 1 is alike in all of them.
class SplineCorrelation {
 public:
  SplineCorrelation(const torch::Tensor& current, const torch::Tensor& previous);  // (batch, n, n)

  struct Derivatives {
    torch::Tensor value, gradient, hessian;  // (batch, 1), (batch, 3), (batch, 3, 3)
  };
  Derivatives derivatives(const torch::Tensor& pose) const;
  torch::Tensor gradient(const torch::Tensor& pose) const;

  static double rim(std::int64_t size) { return double(size / 2); }  // [pixel], what a radian moves there

 private:
  struct Neighbourhood;
  struct Reading;

  void collect_points(const torch::Tensor& current);
  Neighbourhood look(const torch::Tensor& pose) const;
  Reading read(const torch::Tensor& pose) const;

  std::int64_t size_;
  double rim_;
  torch::Tensor previous_;  // (batch, n·n), smoothed
  torch::Tensor around_;    // (9, 1): from a cell to those around it
  // (3, 3, 1): a, b and c of the three pixels' slopes a + b·v and weights c + a·v + b·v²/2, quadratic
  // B-splines at an offset of v from the middle one.
  torch::Tensor spline_;
  // (batch, point): forward and right [pixel]; where images hold fewer points, some have no power.
  torch::Tensor x_, y_, power_;
};

}  // namespace fmbym::training
