// How the work of a convolution is cut: small enough for the cache, in enough parts for all threads.
#pragma once

#include <vector>

#include "masking/direct.hpp"
#include "masking/winograd.hpp"

namespace fmbym {

// Pixels a side, for an image of so many cells a side.
int best_tile(int cells);

template <class Pixel>
std::vector<Part> cut_into_parts(const Convolution<Pixel>& convolution, int cells, int threads);
template <class Cell>
std::vector<Band> cut_into_parts(const DirectConvolution<Cell>& convolution, int size, int threads);

}  // namespace fmbym
