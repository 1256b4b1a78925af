// Stands in for Table II: the same rules, a thousandth of the weights.
#include "fmbym/masking/mask_model.hpp"

namespace fmbym {

std::span<const ConvolutionShape> convolutions() {
  static const std::vector<ConvolutionShape> all = {
      {"h1.conv1", 2, 3, true}, {"h1.conv2", 3, 3, true}, {"mask.conv", 3, 2, false}};
  return all;
}

}  // namespace fmbym
