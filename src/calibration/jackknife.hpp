// Standard errors from the data alone: the fit is repeated without each block in turn. Blocks are long enough
// for their errors to be independent of each other's, whatever they are within.
#pragma once

#include <cmath>
#include <cstddef>

namespace fmbym {

// `without(block)` is the value found from all other blocks.
template <class Without>
double jackknife_error(std::size_t blocks, const Without& without) {
  double sum = 0, squares = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    const double value = without(block);
    sum += value;
    squares += value * value;
  }
  const auto n = static_cast<double>(blocks);
  return std::sqrt((n - 1) * std::fmax(0, squares / n - sum * sum / (n * n)));
}

}  // namespace fmbym
