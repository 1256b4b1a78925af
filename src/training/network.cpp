#include "training/network.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/nn/init.h>
#include <torch/utils.h>

#include "fmbym/core/error.hpp"
#include "fmbym/masking/mask_model.hpp"
#include "training/fast_layers.hpp"

namespace fmbym::training {
namespace {

constexpr std::size_t kLevels = 6;

std::string module_name(std::string tensor_name) {
  std::replace(tensor_name.begin(), tensor_name.end(), '.', '_');
  return tensor_name;
}

}  // namespace

MaskUnetImpl::MaskUnetImpl() : log_temperatures_(register_parameter("log_temperatures", torch::zeros({2}))) {
  for (const ConvolutionShape& shape : convolutions()) {
    torch::nn::Conv2d convolution(
        torch::nn::Conv2dOptions(shape.in, shape.out, 3).padding(1).bias(!shape.normalised));
    torch::nn::init::kaiming_normal_(convolution->weight, 0, torch::kFanIn, torch::kReLU);
    convolutions_.push_back(register_module(module_name(shape.name), convolution));
    if (!shape.normalised) continue;
    norms_.push_back(
        register_module(module_name(shape.norm()),
                        torch::nn::BatchNorm2d(torch::nn::BatchNorm2dOptions(shape.out).eps(kNormEpsilon))));
  }
}

void MaskUnetImpl::set_temperatures(double yaw, double translation) {
  const torch::NoGradGuard no_gradients;
  log_temperatures_.copy_(torch::tensor({std::log(yaw), std::log(translation)}));
}

torch::Tensor MaskUnetImpl::logits(const torch::Tensor& scans) {
  std::vector<Images> skips;
  Images out = scans.contiguous(torch::MemoryFormat::ChannelsLast);  // twice as fast
  std::size_t layer = 0;
  for (std::size_t level = 0; level < kLevels; ++level, layer += 2) {
    if (level > 0) out = pool2x2(out);
    out = block(layer, std::move(out));
    if (level + 1 < kLevels) skips.push_back(out);
  }
  for (; !skips.empty(); layer += 2) {
    out = stretch_and_join(out, skips.back());
    skips.pop_back();
    out = block(layer, std::move(out));
  }
  const auto& last = convolutions_.back();
  return convolve3x3(out, last->weight) + last->bias.view({1, -1, 1, 1});
}

Images MaskUnetImpl::block(std::size_t first_layer, Images in) {
  return convolved(first_layer + 1, convolved(first_layer, std::move(in)));
}

Images MaskUnetImpl::convolved(std::size_t layer, Images in) {
  const torch::Tensor out = convolve3x3(in, convolutions_[layer]->weight);
  in = {};  // makes room
  return normalise_relu(*norms_[layer], out);
}

std::vector<std::pair<std::string, torch::Tensor>> MaskUnetImpl::named_tensors() const {
  std::vector<std::pair<std::string, torch::Tensor>> named;
  const auto shapes = convolutions();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    named.emplace_back(shapes[i].name + ".weight", convolutions_[i]->weight);
    if (!shapes[i].normalised) {
      named.emplace_back(shapes[i].name + ".bias", convolutions_[i]->bias);
      continue;
    }
    const std::string norm = shapes[i].norm();
    named.emplace_back(norm + ".weight", norms_[i]->weight);
    named.emplace_back(norm + ".bias", norms_[i]->bias);
    named.emplace_back(norm + ".running_mean", norms_[i]->running_mean);
    named.emplace_back(norm + ".running_var", norms_[i]->running_var);
  }
  return named;
}

TensorFile MaskUnetImpl::to_tensor_file(TensorType type) const {
  TensorFile file;
  for (const auto& [name, tensor] : named_tensors()) {
    const torch::Tensor values = tensor.detach().to(torch::kCPU, torch::kFloat).contiguous();
    // The norms are few, and their variances may be too small or too large for half precision.
    const bool convolution = values.dim() == 4;
    file.tensors[name] = make_tensor(convolution ? type : TensorType::f32, values.sizes().vec(),
                                     {values.data_ptr<float>(), std::size_t(values.numel())});
  }
  return file;
}

void MaskUnetImpl::load(const TensorFile& file, const std::string& name) {
  const torch::NoGradGuard no_gradients;
  for (auto& [tensor_name, tensor] : named_tensors()) {
    const auto found = file.tensors.find(tensor_name);
    if (found == file.tensors.end())
      throw Error(fmt::format(
          "{}: no tensor {}; training goes on from a network with its batch norms, as fmbym train writes it",
          name, tensor_name));
    if (found->second.shape != tensor.sizes().vec())
      throw Error(fmt::format("{}: tensor {} is {}, expected {}", name, tensor_name,
                              fmt::join(found->second.shape, " × "), fmt::join(tensor.sizes(), " × ")));
    std::vector<float> values = floats_of(found->second);
    tensor.copy_(torch::from_blob(values.data(), tensor.sizes(), torch::kFloat));
  }
}

}  // namespace fmbym::training
