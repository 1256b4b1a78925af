// Which mask model a run uses: the one that was given, or the one that comes with the program.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "app/options.hpp"

namespace fmbym::app {

// --model, --precision, --any-resolution
struct ModelOptions {
  std::filesystem::path file;  // none: the one that fits method, resolution and preset
  std::string precision;       // none: the file's own; where there is no file, fp32
  bool any_resolution = false;
  std::string trained_on =
      {};  // not an option: "simulated" for the set that comes under the program's own licence
};
// For a command with add_method_options.
void add_model_options(CLI::App& command, ModelOptions& options);

struct ModelFile {
  std::filesystem::path file;
  std::string sha256;
};

// A method ready to run, and where its model is from.
struct Setup {
  OdometryConfig config;
  std::optional<ModelFile> model;  // none for methods without masks
};
Setup set_up(const MethodOptions& method, const ModelOptions& model);  // throws Error

}  // namespace fmbym::app
