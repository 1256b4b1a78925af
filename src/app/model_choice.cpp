#include "app/model_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "fmbym/core/checksum.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"
#include "fmbym/masking/mask_network.hpp"

namespace fmbym::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolderVariable = "FMBYM_MODELS";

// The user's own, then those installed with the program, then those of the source tree it was built from.
std::vector<fs::path> model_folders() {
  std::vector<fs::path> folders;
  if (const char* own = std::getenv(kFolderVariable); own && *own) folders.emplace_back(own);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back((program.parent_path() / "../share/fmbym/models").lexically_normal());
  if (fs::is_directory(FMBYM_SOURCE_MODELS, error)) folders.emplace_back(FMBYM_SOURCE_MODELS);
  return folders;
}

// "f-mbym-255-paper.safetensors", and the one for any preset. mbym takes weights that were trained for f-mbym
// where it has none of its own: the network is the same, and what it masks is noise to both.
std::vector<std::string> model_names(const OdometryConfig& config, const ModelOptions& options,
                                     Precision precision) {
  const std::string suffix = (options.trained_on.empty() ? "" : "-" + options.trained_on) +
                             (precision == Precision::int8 ? "-int8" : "");
  std::vector<Method> methods = {config.method};
  if (config.method == Method::mbym) methods.push_back(Method::f_mbym);
  std::vector<std::string> names;
  for (const Method method : methods)
    for (const std::string& preset : {"-" + to_string(config.preset), std::string()})
      names.push_back(
          fmt::format("{}-{}{}{}.safetensors", to_string(method), config.imaging.size, preset, suffix));
  return names;
}

fs::path find_model(const OdometryConfig& config, const ModelOptions& options, Precision precision) {
  const auto folders = model_folders();
  const auto names = model_names(config, options, precision);
  std::error_code error;
  for (const fs::path& folder : folders)
    for (const std::string& name : names)
      if (fs::exists(folder / name, error)) return folder / name;
  std::vector<std::string> places;
  for (const fs::path& folder : folders) places.push_back(folder.string());
  throw Error(fmt::format(
      "--method {}: expected a model named {} in {}, found none; give one with --model FILE, name its folder "
      "in the variable {}, train one with fmbym train, or use {}, which needs none",
      to_string(config.method), fmt::join(names, " or "), fmt::join(places, " or "), kFolderVariable,
      is_decoupled(config.method) ? "f-raw" : "raw"));
}

void require_precision(const MaskModel& model, const fs::path& file, Precision wanted) {
  if (model.precision == wanted) return;
  const std::string remedy =
      wanted == Precision::int8
          ? fmt::format("fmbym quantize {} --data SEQUENCE --output OUT makes one", file.string())
          : "give the model it was made from";
  throw Error(fmt::format("{}: expected a model in {}, as --precision says, found one in {}; {}",
                          file.string(), to_string(wanted), to_string(model.precision), remedy));
}

void refuse_model_options(const ModelOptions& options, Method method) {
  const char* given = !options.file.empty()        ? "--model"
                      : !options.precision.empty() ? "--precision"
                      : options.any_resolution     ? "--any-resolution"
                                                   : nullptr;
  if (given)
    throw Error(
        fmt::format("{}: expected a method with masks, found --method {}; choose f-mbym or mbym, or "
                    "leave the option out",
                    given, to_string(method)));
}

ModelFile load_model(const ModelOptions& options, OdometryConfig& config) {
  std::optional<Precision> precision;
  if (!options.precision.empty()) precision = parse_precision(options.precision);
  const fs::path file =
      options.file.empty() ? find_model(config, options, precision.value_or(Precision::fp32)) : options.file;
  const std::string contents = read_file(file);
  const auto model =
      std::make_shared<MaskModel>(parse_model(parse_tensor_file(contents, file.string()), file.string()));
  check_units(*model, file.string());
  if (precision) require_precision(*model, file, *precision);
  set_model(config, model);
  config.any_resolution = options.any_resolution;
  return {file, sha256(contents)};
}

}  // namespace

Setup set_up(const MethodOptions& method, const ModelOptions& model) {
  Setup setup{method.draft(), {}};
  if (uses_masks(setup.config.method)) {
    setup.model = load_model(model, setup.config);
    method.change_settings(setup.config);  // the user's word goes before the model's
  } else {
    refuse_model_options(model, setup.config.method);
  }
  setup.config.validate();
  return setup;
}

void add_model_options(CLI::App& command, ModelOptions& options) {
  const std::string group = "Masks (of the methods f-mbym and mbym)";
  command.get_option("--method")
      ->description(
          "f-raw (rotation from the spectra's magnitudes, then translation), raw (exhaustive search), or "
          "f-mbym "
          "and mbym: the same after the mask network");
  command
      .add_option(
          "--model", options.file,
          "Weights of the mask network [the ones for method, resolution and preset that come with the "
          "program]")
      ->type_name("FILE")
      ->group(group);
  command
      .add_option("--precision", options.precision,
                  "Of the network: fp32 or int8; a model is one or the other [the model's]")
      ->type_name("NAME")
      ->group(group);
  command
      .add_flag("--any-resolution", options.any_resolution,
                "Take a model that was trained with images of another resolution")
      ->group(group);
}

}  // namespace fmbym::app
