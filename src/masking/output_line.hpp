// What follows the sums of a convolution: gain, bias and ReLU of each output channel.
#pragma once

#include <vector>

#include "fmbym/masking/mask_model.hpp"

namespace fmbym {

struct OutputLine {
  std::vector<float> gain;  // (out), of the sums
  std::vector<float> bias;  // (out)
  float lowest = 0;         // of the output: 0 for a ReLU
};

// The output is divided by output_scale. Of sums of floats, and of products of bytes.
OutputLine line_of_floats(const ConvolutionShape& shape, const ConvolutionWeights& weights,
                          float output_scale);
OutputLine line_of_bytes(const ConvolutionShape& shape, const ConvolutionWeights& weights,
                         float output_scale);

}  // namespace fmbym
