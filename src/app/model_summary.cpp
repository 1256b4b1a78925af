#include "app/model_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fmbym/core/checksum.hpp"
#include "fmbym/masking/mask_model.hpp"

namespace fmbym::app {
namespace {

Json or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json convolution_json(const ConvolutionShape& convolution, const ConvolutionWeights& layer,
                      const TensorFile& file) {
  Json json = {{"name", convolution.name},
               {"in", convolution.in},
               {"out", convolution.out},
               {"dtype", to_string(file.tensors.at(convolution.name + ".weight").type)}};
  if (layer.quantized) {
    const auto [smallest, largest] = std::ranges::minmax(layer.quantized->weight_scale);
    json["weight_scale"] = {smallest, largest};
    json["input_scale"] = layer.quantized->input_scale;
  }
  return json;
}

Json convolutions_json(const MaskModel& model, const TensorFile& file) {
  Json list = Json::array();
  for (std::size_t i = 0; i < model.layers.size(); ++i)
    list.push_back(convolution_json(convolutions()[i], model.layers[i], file));
  return list;
}

std::size_t count_weights(const MaskModel& model) {
  std::size_t count = 0;
  for (const ConvolutionWeights& layer : model.layers) count += layer.weight.size() + layer.bias.size();
  return count;
}

// What others have added to the file.
Json other_metadata(const TensorFile& file, const ModelInfo& info) {
  Json others = Json::object();
  const auto ours = to_metadata(info);
  for (const auto& [key, value] : file.metadata)
    if (!ours.contains(key)) others[key] = value;
  return others;
}

std::string scales_text(const Json& convolution) {
  if (!convolution.contains("input_scale")) return "";
  return fmt::format("  weights · {:.3g} to {:.3g}, input · {:.3g}",
                     convolution["weight_scale"][0].get<double>(),
                     convolution["weight_scale"][1].get<double>(), convolution["input_scale"].get<double>());
}

}  // namespace

Json training_json(const ModelInfo& info) {
  return {{"method", info.method},
          {"preset", info.preset},
          {"resolution", info.resolution},
          {"metres_per_pixel", info.metres_per_pixel},
          {"input_mean", info.input_mean},
          {"input_scale", info.input_scale},
          {"training_data", info.training_data},
          {"epoch", info.epoch}};
}

Json model_summary(std::string_view contents, const std::string& name) {
  const TensorFile file = parse_tensor_file(contents, name);
  const MaskModel model = parse_model(file, name);
  const ModelInfo& info = model.info;
  Json summary = {{"kind", "model"},
                  {"format", "safetensors"},
                  {"architecture", info.architecture},
                  {"format_version", file.metadata.at("format_version")},
                  {"precision", to_string(model.precision)}};
  summary.update(training_json(info));
  summary.update(Json{{"validation_translation_percent", or_null(info.validation_translation_percent)},
                      {"validation_rotation_deg_per_km", or_null(info.validation_rotation_deg_per_km)},
                      {"yaw_temperature_percent", or_null(info.yaw_temperature)},
                      {"translation_temperature_percent", or_null(info.translation_temperature)},
                      {"licence", info.licence},
                      {"other_metadata", other_metadata(file, info)},
                      {"weights", count_weights(model)},
                      {"norms_folded", !file.tensors.contains(convolutions().front().norm() + ".weight")},
                      {"convolutions", convolutions_json(model, file)},
                      {"bytes", contents.size()},
                      {"sha256", sha256(contents)}});
  return summary;
}

std::string convolution_table(const Json& convolutions) {
  std::string table;
  for (const Json& convolution : convolutions)
    table += fmt::format("  {:10} {:3} → {:3}  {}{}\n", convolution["name"].get<std::string>(),
                         convolution["in"].get<int>(), convolution["out"].get<int>(),
                         convolution["dtype"].get<std::string>(), scales_text(convolution));
  return table;
}

}  // namespace fmbym::app
