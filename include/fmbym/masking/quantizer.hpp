// From a network in floating point to one in 8-bit integers: looks at what the network does with real scans,
// and chooses the units in which its activations and weights are counted.
#pragma once

#include <vector>

#include "fmbym/masking/mask_network.hpp"

namespace fmbym {

class Quantizer {
 public:
  // Of a model in floating point; throws Error for another. For images of this size.
  Quantizer(const MaskModel& model, int size, int threads = 1);

  void observe(const Image& current, const Image& reference);
  int observed() const { return pairs_; }  // pairs

  // All but the first and the last convolution in 8 bits; throws Error if nothing was observed.
  MaskModel quantized() const;

 private:
  float range(int convolution) const;        // of its output
  float input_range(int convolution) const;  // of everything that goes into it

  MaskModel model_;
  MaskNetwork network_;
  std::vector<double> largest_;  // activation of each convolution, summed over the pairs
  int pairs_ = 0;
};

}  // namespace fmbym
