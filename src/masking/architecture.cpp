// Table II of the paper.
#include <fmt/format.h>

#include "fmbym/masking/mask_model.hpp"

namespace fmbym {
namespace {

// The rows of the table, named by their output. What the decoder takes in is the output of the row before,
// and the encoder's of its size.
struct Row {
  const char* name;
  int in, out;
};
constexpr Row kRows[] = {{"h1", 2, 8},           {"h2", 8, 16},        {"h3", 16, 32},
                         {"h4", 32, 64},         {"h5", 64, 128},      {"h6", 128, 256},
                         {"h7", 256 + 128, 128}, {"h8", 128 + 64, 64}, {"h9", 64 + 32, 32},
                         {"h10", 32 + 16, 16},   {"h11", 16 + 8, 8}};

std::vector<ConvolutionShape> make_convolutions() {
  std::vector<ConvolutionShape> all;
  for (const Row& row : kRows) {
    all.push_back({fmt::format("{}.conv1", row.name), row.in, row.out, true});
    all.push_back({fmt::format("{}.conv2", row.name), row.out, row.out, true});
  }
  all.push_back({"mask.conv", 8, 2, false});
  return all;
}

}  // namespace

std::span<const ConvolutionShape> convolutions() {
  static const std::vector<ConvolutionShape> all = make_convolutions();
  return all;
}

}  // namespace fmbym
