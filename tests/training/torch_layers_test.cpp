// The network of one weights file in libtorch, batch norms and all, against ours: layer by layer. Built where
// libtorch is installed.
#include <gtest/gtest.h>
#include <torch/nn/functional.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "fmbym/masking/mask_network.hpp"
#include "masking/images.hpp"
#include "training/tensors.hpp"

namespace fmbym {
namespace {

namespace F = torch::nn::functional;

torch::Tensor tensor(const TensorFile& file, const std::string& name) {
  const Tensor& stored = file.tensors.at(name);
  return torch::tensor(floats_of(stored)).reshape(stored.shape);
}

torch::Tensor convolved(const TensorFile& file, const ConvolutionShape& shape, const torch::Tensor& in) {
  const torch::Tensor weight = tensor(file, shape.name + ".weight");
  if (!shape.normalised)
    return F::conv2d(in, weight, F::Conv2dFuncOptions().bias(tensor(file, shape.name + ".bias")).padding(1));
  const torch::Tensor out = F::conv2d(in, weight, F::Conv2dFuncOptions().padding(1));
  const auto norm = [&](const char* name) { return tensor(file, shape.norm() + name); };
  return torch::relu(
      F::batch_norm(out, norm(".running_mean"), norm(".running_var"),
                    F::BatchNormFuncOptions().weight(norm(".weight")).bias(norm(".bias")).eps(kNormEpsilon)));
}

torch::Tensor stretched(const torch::Tensor& in, const torch::Tensor& like) {
  return F::interpolate(in, F::InterpolateFuncOptions()
                                .size(std::vector<std::int64_t>{like.size(2), like.size(3)})
                                .mode(torch::kBilinear)
                                .align_corners(false));
}

// The outputs of all convolutions, as Table II has them.
std::vector<torch::Tensor> torch_outputs(const TensorFile& file, const torch::Tensor& scans) {
  std::vector<torch::Tensor> outputs;
  const auto next = [&](const torch::Tensor& in) {
    outputs.push_back(convolved(file, convolutions()[outputs.size()], in));
  };
  constexpr int levels = 6;
  for (int level = 0; level < levels; ++level) {
    next(level == 0 ? scans : torch::max_pool2d(outputs.back(), 2));
    next(outputs.back());
  }
  for (int level = levels - 2; level >= 0; --level) {
    const torch::Tensor skip = outputs[std::size_t(2 * level + 1)];
    next(torch::cat({stretched(outputs.back(), skip), skip}, 1));
    next(outputs.back());
  }
  next(outputs.back());
  return outputs;
}

torch::Tensor as_tensor(const std::vector<float>& values, const torch::Tensor& like) {
  return torch::tensor(values).reshape(like.sizes());
}

class TorchNetwork : public ::testing::TestWithParam<int> {};

TEST_P(TorchNetwork, IsOurs) {
  const torch::NoGradGuard no_gradients;
  const int size = GetParam();
  const TensorFile file = random_weights(5, size);
  const Image current = testing::noise(size, 1), reference = testing::noise(size, 2);
  MaskNetwork network(parse_model(file, "random"), size);
  const Masks masks = network.predict(current, reference);

  const auto outputs = torch_outputs(file, testing::as_pair(current, reference));
  // Both in single precision, each rounding in its own order.
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const torch::Tensor ours = as_tensor(network.activations(int(i)), outputs[i]);
    EXPECT_LT((ours - outputs[i]).abs().max().item<float>(), 1e-4) << convolutions()[i].name;
  }
  const torch::Tensor expected = torch::sigmoid(outputs.back());
  const torch::Tensor found = testing::as_pair(masks.current, masks.reference);
  EXPECT_LT((found - expected).abs().max().item<float>(), 2e-5);
}
INSTANTIATE_TEST_SUITE_P(Sizes, TorchNetwork, ::testing::Values(64, 127, 201, 255));

}  // namespace
}  // namespace fmbym
