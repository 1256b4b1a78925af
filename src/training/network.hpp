// The mask network of Table II in libtorch, to be trained; masking/ runs what comes of it.
#pragma once

#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/types.h>

#include <vector>

#include "fmbym/masking/tensor_file.hpp"
#include "training/images.hpp"

namespace fmbym::training {

class MaskUnetImpl : public torch::nn::Module {
 public:
  // Random weights from torch's generator, made for ReLU.
  MaskUnetImpl();

  // (batch, 2, n, n): current and reference scans, power from 0 to 1 → their masks before the sigmoid.
  torch::Tensor logits(const torch::Tensor& scans);
  torch::Tensor forward(const torch::Tensor& scans) { return torch::sigmoid(logits(scans)); }

  // Of the soft arg-max of yaw and of translation [%], learnt with the weights: (2).
  torch::Tensor temperatures() const { return log_temperatures_.exp(); }
  void set_temperatures(double yaw, double translation);

  // By the names of the weights file, batch norms and all; metadata is left to the caller.
  TensorFile to_tensor_file(TensorType type = TensorType::f32) const;
  // A network with its batch norms; throws Error naming the file and the tensor that does not fit.
  void load(const TensorFile& file, const std::string& name);

 private:
  Images convolved(std::size_t layer, Images in);
  Images block(std::size_t first_layer, Images in);
  // Every tensor of the network with its name in the file.
  std::vector<std::pair<std::string, torch::Tensor>> named_tensors() const;

  torch::Tensor log_temperatures_;
  std::vector<torch::nn::Conv2d> convolutions_;  // in order of execution
  std::vector<torch::nn::BatchNorm2d> norms_;    // of all but the last
};
TORCH_MODULE(MaskUnet);

}  // namespace fmbym::training
