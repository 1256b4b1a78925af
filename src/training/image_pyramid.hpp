// Images at a lower resolution, as fmbym/core/pyramid.hpp makes them, in batches.
#pragma once

#include <torch/types.h>

#include <vector>

#include "fmbym/imaging/cartesian_imager.hpp"

namespace fmbym::training {

class ImagePyramid {
 public:
  ImagePyramid(const ImagingConfig& fine, double largest_pixel);  // [m]

  const ImagingConfig& coarse() const { return levels_.back(); }
  torch::Tensor reduce(torch::Tensor fine) const;  // (batch, n, n)

 private:
  std::vector<ImagingConfig> levels_;  // from fine to coarse
};

}  // namespace fmbym::training
