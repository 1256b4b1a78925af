// The network that is trained is the network that runs.
#include "training/network.hpp"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include "fmbym/masking/mask_network.hpp"
#include "masking/images.hpp"
#include "training/tensors.hpp"

namespace fmbym::training {
namespace {

class Network : public ::testing::TestWithParam<int> {};

TEST_P(Network, GivesTheMasksOfTheRunTime) {
  const torch::NoGradGuard no_gradients;
  const int size = GetParam();
  TensorFile file = random_weights(5, size);
  MaskUnet trained;
  trained->load(file, "random");
  trained->eval();
  const Image current = testing::noise(size, 1), reference = testing::noise(size, 2);
  const torch::Tensor expected = trained->forward(testing::as_pair(current, reference));

  file.tensors = trained->to_tensor_file().tensors;
  MaskNetwork network(parse_model(file, "trained"), size);
  const Masks masks = network.predict(current, reference);
  const torch::Tensor found = testing::as_pair(masks.current, masks.reference);
  EXPECT_LT((found - expected).abs().max().item<float>(), 2e-5);
}
INSTANTIATE_TEST_SUITE_P(Sizes, Network, ::testing::Values(64, 127, 201, 255));

}  // namespace
}  // namespace fmbym::training
