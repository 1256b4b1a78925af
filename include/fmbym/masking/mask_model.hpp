// The weights of the mask network (Table II of the paper) and what is known about them: one file, checked
// from end to end when it is read. docs/formats.md describes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmbym/masking/tensor_file.hpp"

namespace fmbym {

enum class Precision {
  fp32,
  int8,  // convolutions in 8-bit integers, but for those that the model keeps in floating point
};

std::string to_string(Precision precision);
Precision parse_precision(std::string_view name);  // throws Error naming the choices

// A convolution of 3 by 3, and what follows it.
struct ConvolutionShape {
  std::string name;  // "h1.conv1"
  int in = 0, out = 0;
  bool normalised = true;  // batch norm and ReLU; the last has a bias and the sigmoid instead

  std::string norm() const;  // "h1.norm1"
};

// All 23 in order of execution.
std::span<const ConvolutionShape> convolutions();

inline constexpr double kNormEpsilon = 1e-5;  // added to a running variance, as PyTorch does

// weight = integer · scale of its output channel; activation = unsigned 8-bit integer · scale of the input.
struct QuantizedWeights {
  std::vector<std::int8_t> weight;  // (out, in, 3, 3)
  std::vector<float> weight_scale;  // (out)
  float input_scale = 1;

  bool operator==(const QuantizedWeights&) const = default;
};

// A convolution with its batch norm folded in.
struct ConvolutionWeights {
  std::vector<float> weight;                  // (out, in, 3, 3)
  std::vector<float> bias;                    // (out)
  std::optional<QuantizedWeights> quantized;  // if set, `weight` is what it stands for

  bool operator==(const ConvolutionWeights&) const = default;
};

// What the file says of itself. Strings are empty where nothing is known.
struct ModelInfo {
  std::string architecture = "fast-mbym-unet";  // the only one there is
  std::string method;                           // it was trained with: f-mbym or mbym
  std::string preset;                           // likewise: paper or default
  int resolution = 0;                           // of the images it was trained with [pixels]
  double metres_per_pixel = 0;                  // likewise
  double input_mean = 0, input_scale = 1;       // the network's input is (pixel - mean) · scale
  std::string training_data;                    // what it was trained on
  int epoch = 0;                                // of the training
  std::optional<double> validation_translation_percent, validation_rotation_deg_per_km;
  // Of the soft arg-max, learnt with the weights [%]; absent: what the configuration says.
  std::optional<double> yaw_temperature, translation_temperature;
  std::string licence;  // of the weights

  bool operator==(const ModelInfo&) const = default;
};

struct MaskModel {
  ModelInfo info;
  Precision precision = Precision::fp32;   // int8 if any layer is quantized
  std::vector<ConvolutionWeights> layers;  // one for each of convolutions()

  bool operator==(const MaskModel&) const = default;
};

// For the metadata of a file, with the name of the architecture and the version of the format.
std::map<std::string, std::string> to_metadata(const ModelInfo& info);

// Takes a network as it was trained (batch norms) or with the norms folded in (biases), the latter in
// floating point or in 8 bits. Throws Error naming the file, the tensor or key, and what is wrong with it.
MaskModel parse_model(const TensorFile& file, const std::string& name);
MaskModel read_model(const std::filesystem::path& file);

// Norms folded in, layers in 8 bits where they are quantized. Throws Error, and writes nothing, for a model
// that could not be read again.
TensorFile to_tensor_file(const MaskModel& model);
void write_model(const std::filesystem::path& file, const MaskModel& model);

// An untrained network, for tests and timing: as it would be before training, with norms that keep
// activations in proportion to the input. The same on every machine.
TensorFile random_weights(std::uint64_t seed, int resolution);
MaskModel random_model(std::uint64_t seed, int resolution);

}  // namespace fmbym
