#include "training/checkpoint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/utils.h>

#include <nlohmann/json.hpp>

#include "fmbym/core/error.hpp"

namespace fmbym::training {
namespace {

using nlohmann::json;

constexpr const char* kKey = "fmbym_training";
constexpr const char* kTemperatures = "log_temperatures";  // of which the weights file has the exponentials

// Adam's memory of a parameter; made where it has none yet.
torch::optim::AdamParamState& state_of(torch::optim::Adam& optimizer, const torch::Tensor& parameter) {
  auto& slot = optimizer.state()[c10::guts::to_string(parameter.unsafeGetTensorImpl())];
  if (!slot) {
    auto fresh = std::make_unique<torch::optim::AdamParamState>();
    fresh->step(0);
    fresh->exp_avg(torch::zeros_like(parameter));
    fresh->exp_avg_sq(torch::zeros_like(parameter));
    slot = std::move(fresh);
  }
  return static_cast<torch::optim::AdamParamState&>(*slot);
}

Tensor stored(const torch::Tensor& tensor) {
  const torch::Tensor values = tensor.detach().to(torch::kCPU).contiguous();
  return make_tensor(TensorType::f32, values.sizes().vec(),
                     {values.data_ptr<float>(), std::size_t(values.numel())});
}

void restore(const TensorFile& file, const std::string& key, const std::string& name,
             const torch::Tensor& into) {
  const auto found = file.tensors.find(key);
  if (found == file.tensors.end() || found->second.shape != into.sizes().vec())
    throw Error(fmt::format("{}: tensor {} is missing or of another shape; --force begins anew", name, key));
  std::vector<float> values = floats_of(found->second);
  into.copy_(torch::from_blob(values.data(), into.sizes(), torch::kFloat));
}

json to_json(const ValidationReport& v) {
  return {v.translation_percent, v.rotation_deg_per_km, v.x, v.y, v.yaw};
}

ValidationReport validation_of(const json& j) {
  return {j.at(0), j.at(1), j.at(2), j.at(3), j.at(4)};
}

// Throws json::exception where something is missing or of another type.
Progress restore_progress(const json& about, const TensorFile& contents, const std::string& name,
                          MaskUnet& network, torch::optim::Adam& optimizer) {
  network->load(contents, name);
  restore(contents, kTemperatures, name, network->named_parameters()[kTemperatures]);
  const auto parameters = network->parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    auto& state = state_of(optimizer, parameters[i]);
    restore(contents, fmt::format("adam.{}.mean", i), name, state.exp_avg());
    restore(contents, fmt::format("adam.{}.square", i), name, state.exp_avg_sq());
    state.step(about.at("steps").at(i));
  }
  Progress progress{about.at("epochs_done"), about.at("best_epoch"), {}};
  if (about.contains("best")) progress.best = validation_of(about["best"]);
  return progress;
}

}  // namespace

std::string fingerprint(const TrainingOptions& o) {
  const auto names = [](const auto& paths) {
    std::vector<std::string> found;
    for (const auto& path : paths) found.push_back(path.lexically_normal().string());
    return fmt::format("{}", fmt::join(found, ","));
  };
  std::string sensor;  // only what was given
  const auto give = [&sensor](const char* option, const std::optional<double>& value) {
    if (value) sensor += fmt::format(" {} {}", option, *value);
  };
  give("--range-resolution", o.calibration.range_resolution);
  give("--range-offset", o.calibration.range_offset);
  give("--azimuth-offset", o.calibration.azimuth_offset);
  const std::string poses =
      o.poses == PoseSource::ground_truth ? "" : fmt::format(" --poses {}", to_string(o.poses));
  return fmt::format(
      "--train {} --val {} --method {} --preset {} --resolution {} --batch {} --lr {} --yaw-weight {} "
      "--x-weight {} --y-weight {} --loss-limit {} --likelihood {} --augment {} --anneal {} "
      "--pretrain-epochs {} --seed {} "
      "--threads {} --device {}{}{}",
      names(o.train), names(o.val), to_string(o.method), to_string(o.preset), o.resolution, o.pairs_a_step(),
      o.step_size(), o.loss.yaw, o.loss.x, o.loss.y, o.loss.limit, o.loss.likelihood, o.augment,
      o.anneal ? o.epochs : 0, o.consistency_epochs, o.seed, o.threads, o.device, sensor, poses);
}

void write_checkpoint(const std::filesystem::path& file, MaskUnet& network, torch::optim::Adam& optimizer,
                      const Progress& progress, const TrainingOptions& options) {
  TensorFile contents = network->to_tensor_file();
  const auto parameters = network->parameters();
  json steps = json::array();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    auto& state = state_of(optimizer, parameters[i]);
    contents.tensors[fmt::format("adam.{}.mean", i)] = stored(state.exp_avg());
    contents.tensors[fmt::format("adam.{}.square", i)] = stored(state.exp_avg_sq());
    steps.push_back(state.step());
  }
  contents.tensors[kTemperatures] = stored(network->named_parameters()[kTemperatures]);
  json about = {{"epochs_done", progress.epochs_done},
                {"best_epoch", progress.best_epoch},
                {"steps", steps},
                {"options", fingerprint(options)}};
  if (progress.best) about["best"] = to_json(*progress.best);
  contents.metadata[kKey] = about.dump();
  write_tensor_file(file, contents);
}

Progress read_checkpoint(const std::filesystem::path& file, MaskUnet& network, torch::optim::Adam& optimizer,
                         const TrainingOptions& options) {
  const torch::NoGradGuard no_gradients;
  const std::string name = file.string();
  const TensorFile contents = read_tensor_file(file);
  const auto found = contents.metadata.find(kKey);
  const json about = found == contents.metadata.end() ? json() : json::parse(found->second, nullptr, false);
  if (!about.is_object()) throw Error(fmt::format("{}: not a checkpoint of a training run", name));
  try {
    if (const std::string then = about.at("options"), now = fingerprint(options); then != now)
      throw Error(fmt::format(
          "{}: the run was begun with other options; give these, or --force to begin anew: {}", name, then));
    return restore_progress(about, contents, name, network, optimizer);
  } catch (const json::exception&) {
    throw Error(fmt::format("{}: how far the run had come can't be read; --force begins anew", name));
  }
}

}  // namespace fmbym::training
