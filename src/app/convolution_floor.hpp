// What the mask network is measured against: its bare convolutions, as oneDNN runs them. Nothing between
// them, no masks; only their time counts.
#pragma once

#include <cstddef>
#include <memory>

#include "fmbym/masking/mask_model.hpp"

namespace fmbym::app {

// Pixels a side of the images of one of convolutions(), for scans of this size.
int image_size(std::size_t convolution, int scan_size);

class ConvolutionFloor {
 public:
  // For a pair of images of this size.
  ConvolutionFloor(int size, Precision precision, int threads);
  ~ConvolutionFloor();

  void run();
  void run(std::size_t convolution);  // only this one of convolutions()

 private:
  struct Layers;
  std::unique_ptr<Layers> layers_;
};

}  // namespace fmbym::app
