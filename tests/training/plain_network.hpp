// The mask network in torch's own operators: what the fast layers are held to.
#pragma once

#include <torch/nn/functional.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/types.h>

#include "training/network.hpp"

namespace fmbym::training::testing {

namespace F = torch::nn::functional;

// in → the size of `like`, before the channels of `like`.
inline torch::Tensor stretched_and_joined(const torch::Tensor& in, const torch::Tensor& like) {
  const auto options = F::InterpolateFuncOptions()
                           .size(std::vector<std::int64_t>{like.size(2), like.size(3)})
                           .mode(torch::kBilinear)
                           .align_corners(false);
  return torch::cat({F::interpolate(in, options), like}, 1);
}

// The parameters and running statistics are those of `network`.
inline torch::Tensor plain_logits(MaskUnetImpl& network, const torch::Tensor& scans) {
  const auto layers = network.children();  // convolution, norm, convolution, norm, …
  std::size_t layer = 0;
  const auto block = [&](torch::Tensor out) {
    for (int i = 0; i < 2; ++i) {
      out = layers[layer++]->as<torch::nn::Conv2d>()->forward(out);
      out = layers[layer++]->as<torch::nn::BatchNorm2d>()->forward(out).relu_();
    }
    return out;
  };
  std::vector<torch::Tensor> skips{block(scans)};
  while (skips.size() < 6) skips.push_back(block(torch::max_pool2d(skips.back(), 2)));
  torch::Tensor out = skips.back();
  for (std::size_t level = skips.size() - 1; level-- > 0;)
    out = block(stretched_and_joined(out, skips[level]));
  return layers.back()->as<torch::nn::Conv2d>()->forward(out);
}

}  // namespace fmbym::training::testing
