#include "fmbym/masking/mask_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/in_quotes.hpp"
#include "fmbym/core/error.hpp"
#include "masking/model_info.hpp"

namespace fmbym {
namespace {

using Shape = std::vector<std::int64_t>;

constexpr const char* kNormTensors[] = {"weight", "bias", "running_mean", "running_var"};

Shape weight_shape(const ConvolutionShape& convolution) {
  return {convolution.out, convolution.in, 3, 3};
}

std::string joined(const std::string& layer, const char* tensor) {
  return fmt::format("{}.{}", layer, tensor);
}

// The tensors of a file, each asked for by name and checked before it is given out. Two kinds of file are
// told apart: as trained, with batch norms, and folded, with biases in their place.
class Weights {
 public:
  Weights(const TensorFile& file, const std::string& name) : file_(file), name_(name) {
    trained_ = std::ranges::any_of(
        file.tensors, [](const auto& tensor) { return tensor.first.find(".norm") != std::string::npos; });
    require_names();
  }

  ConvolutionWeights layer(const ConvolutionShape& convolution) const {
    ConvolutionWeights layer = trained_ && convolution.normalised ? folded(convolution) : biased(convolution);
    for (const float value : layer.weight) require_finite(convolution.name, value);
    for (const float value : layer.bias) require_finite(convolution.name, value);
    return layer;
  }

 private:
  [[noreturn]] void fail(const std::string& tensor, std::string_view wrong, std::string_view remedy) const {
    throw Error(fmt::format("{}: {}: {}; {}", name_, tensor, wrong, remedy));
  }

  // What is multiplied can be out of range though its factors are not.
  void require_finite(const std::string& layer, float value) const {
    if (!std::isfinite(value))
      fail(layer, "expected weights within single precision, found larger ones once scaled",
           "train it again");
  }

  std::vector<std::string> names_of(const ConvolutionShape& convolution) const {
    std::vector<std::string> names = {joined(convolution.name, "weight")};
    if (trained_ && convolution.normalised) {
      for (const char* tensor : kNormTensors) names.push_back(joined(convolution.norm(), tensor));
      return names;
    }
    names.push_back(joined(convolution.name, "bias"));
    if (quantized(convolution))
      for (const char* tensor : {"weight_scale", "input_scale"})
        names.push_back(joined(convolution.name, tensor));
    return names;
  }

  void require_names() const {
    std::set<std::string> expected;
    for (const ConvolutionShape& convolution : convolutions())
      for (const std::string& name : names_of(convolution)) {
        if (!file_.tensors.contains(name)) fail_missing(name);
        expected.insert(name);
      }
    for (const auto& [name, tensor] : file_.tensors)
      if (!expected.contains(name)) fail_unknown(name);
  }

  [[noreturn]] void fail_missing(const std::string& tensor) const {
    fail(tensor, fmt::format("expected this tensor of a network {}, found none", kind()),
         "write all weights of the network");
  }

  [[noreturn]] void fail_unknown(const std::string& tensor) const {
    const ConvolutionShape& example = convolutions().front();
    fail(in_quotes(tensor),
         fmt::format("expected tensors of a network {} such as {}, found one it does not have", kind(),
                     fmt::join(names_of(example), ", ")),
         "leave it out or correct its name");
  }

  const char* kind() const { return trained_ ? "with batch norms" : "with its norms folded in"; }

  bool quantized(const ConvolutionShape& convolution) const {
    const auto weight = file_.tensors.find(joined(convolution.name, "weight"));
    return weight != file_.tensors.end() && weight->second.type == TensorType::i8;
  }

  const Tensor& tensor(const std::string& name, const Shape& shape) const {
    const Tensor& tensor = file_.tensors.at(name);
    if (tensor.shape != shape)
      fail(name,
           fmt::format("expected the shape ({}), found ({})", fmt::join(shape, ", "),
                       fmt::join(tensor.shape, ", ")),
           "give weights of this network");
    // So it is in every file; a tensor from memory may be otherwise.
    std::size_t bytes = size_of(tensor.type);
    for (const std::int64_t length : shape) bytes *= static_cast<std::size_t>(length);
    if (tensor.bytes.size() != bytes)
      fail(name, fmt::format("expected {} bytes by its shape, found {}", bytes, tensor.bytes.size()),
           "make it with make_tensor");
    return tensor;
  }

  std::vector<float> floats(const std::string& name, const Shape& shape) const {
    const Tensor& found = tensor(name, shape);
    if (found.type == TensorType::i8)
      fail(name, "expected F32 or F16, found I8", "fold the norms in before the weights become integers");
    std::vector<float> values = floats_of(found);
    const auto odd = std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
    if (odd != values.end())
      fail(name, fmt::format("expected finite numbers, found {} at place {}", *odd, odd - values.begin()),
           "train it again");
    return values;
  }

  std::vector<float> scales(const std::string& name, const Shape& shape) const {
    std::vector<float> values = floats(name, shape);
    const auto odd = std::ranges::find_if(values, [](float value) { return !(value > 0); });
    if (odd != values.end())
      fail(name, fmt::format("expected scales above 0, found {} at place {}", *odd, odd - values.begin()),
           "quantize it again");
    return values;
  }

  std::vector<float> variances(const std::string& name, const Shape& shape) const {
    std::vector<float> values = floats(name, shape);
    const auto odd = std::ranges::find_if(values, [](float value) { return value < 0; });
    if (odd != values.end())
      fail(name,
           fmt::format("expected variances of at least 0, found {} at place {}", *odd, odd - values.begin()),
           "train it again");
    return values;
  }

  // norm(conv(x)) = gain · (w·x - mean) / sqrt(variance + epsilon) + bias is a convolution again.
  ConvolutionWeights folded(const ConvolutionShape& convolution) const {
    const Shape channels = {convolution.out};
    const std::string norm = convolution.norm();
    const auto gain = floats(joined(norm, "weight"), channels), bias = floats(joined(norm, "bias"), channels),
               mean = floats(joined(norm, "running_mean"), channels),
               variance = variances(joined(norm, "running_var"), channels);
    ConvolutionWeights layer{floats(joined(convolution.name, "weight"), weight_shape(convolution)), bias, {}};
    const std::size_t inputs = layer.weight.size() / gain.size();
    for (std::size_t out = 0; out < gain.size(); ++out) {
      const double factor = gain[out] / std::sqrt(variance[out] + kNormEpsilon);
      for (std::size_t i = 0; i < inputs; ++i) {
        float& weight = layer.weight[out * inputs + i];
        weight = static_cast<float>(weight * factor);
      }
      layer.bias[out] = static_cast<float>(bias[out] - mean[out] * factor);
    }
    return layer;
  }

  ConvolutionWeights biased(const ConvolutionShape& convolution) const {
    const auto bias = floats(joined(convolution.name, "bias"), {convolution.out});
    if (!quantized(convolution))
      return {floats(joined(convolution.name, "weight"), weight_shape(convolution)), bias, {}};
    const QuantizedWeights integers = {
        int8s_of(tensor(joined(convolution.name, "weight"), weight_shape(convolution))),
        scales(joined(convolution.name, "weight_scale"), {convolution.out}),
        scales(joined(convolution.name, "input_scale"), {1}).front()};
    return {dequantized(integers), bias, integers};
  }

  static std::vector<float> dequantized(const QuantizedWeights& integers) {
    const std::size_t inputs = integers.weight.size() / integers.weight_scale.size();
    std::vector<float> weight;
    for (std::size_t i = 0; i < integers.weight.size(); ++i)
      weight.push_back(integers.weight[i] * integers.weight_scale[i / inputs]);
    return weight;
  }

  const TensorFile& file_;
  const std::string& name_;
  bool trained_ = false;
};

void put(TensorFile& file, const ConvolutionShape& convolution, const ConvolutionWeights& layer) {
  const auto put_floats = [&](const char* tensor, const Shape& shape, std::span<const float> values) {
    file.tensors[joined(convolution.name, tensor)] = make_tensor(TensorType::f32, shape, values);
  };
  put_floats("bias", {convolution.out}, layer.bias);
  if (!layer.quantized) return put_floats("weight", weight_shape(convolution), layer.weight);
  const QuantizedWeights& integers = *layer.quantized;
  file.tensors[joined(convolution.name, "weight")] = make_tensor(weight_shape(convolution), integers.weight);
  put_floats("weight_scale", {convolution.out}, integers.weight_scale);
  put_floats("input_scale", {1}, {&integers.input_scale, 1});
}

}  // namespace

std::string ConvolutionShape::norm() const {
  std::string norm = name;
  return norm.replace(norm.find("conv"), 4, "norm");
}

std::string to_string(Precision precision) {
  return precision == Precision::int8 ? "int8" : "fp32";
}

Precision parse_precision(std::string_view name) {
  for (const Precision precision : {Precision::fp32, Precision::int8})
    if (name == to_string(precision)) return precision;
  throw Error(fmt::format("--precision {}: no such precision; choose one of fp32, int8", name));
}

MaskModel parse_model(const TensorFile& file, const std::string& name) {
  MaskModel model{info_of(file, name), Precision::fp32, {}};
  const Weights weights(file, name);
  for (const ConvolutionShape& convolution : convolutions()) {
    model.layers.push_back(weights.layer(convolution));
    if (model.layers.back().quantized) model.precision = Precision::int8;
  }
  return model;
}

MaskModel read_model(const std::filesystem::path& file) {
  return parse_model(read_tensor_file(file), file.string());
}

TensorFile to_tensor_file(const MaskModel& model) {
  if (model.layers.size() != convolutions().size())
    throw Error(fmt::format("model: expected {} convolutions, found {}; complete it", convolutions().size(),
                            model.layers.size()));
  TensorFile file{to_metadata(model.info), {}};
  for (std::size_t i = 0; i < convolutions().size(); ++i) put(file, convolutions()[i], model.layers[i]);
  return file;
}

void write_model(const std::filesystem::path& file, const MaskModel& model) {
  const TensorFile contents = to_tensor_file(model);
  parse_model(contents, file.string());
  write_tensor_file(file, contents);
}

}  // namespace fmbym
