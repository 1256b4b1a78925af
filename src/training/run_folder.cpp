#include "training/run_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "fmbym/core/error.hpp"

namespace fmbym::training {

namespace fs = std::filesystem;

fs::path RunFolder::model(const TrainingOptions& options) const {
  return folder / fmt::format("{}-{}-{}.safetensors", to_string(options.method), options.resolution,
                              to_string(options.preset));
}

bool RunFolder::holds_run() const {
  std::error_code none;
  return fs::exists(checkpoint(), none);
}

RunFolder open_run_folder(const TrainingOptions& options) {
  const RunFolder run{options.output};
  const std::string name = run.folder.string();
  if (run.holds_run() && !options.resume && !options.force)
    throw Error(fmt::format(
        "--output {}: holds a training run already; --resume goes on with it, --force begins anew and "
        "deletes it, or choose another folder",
        name));
  if (options.resume && !run.holds_run())
    throw Error(fmt::format(
        "--resume: expected {} of a run, found none; leave --resume out to begin one, or check --output",
        run.checkpoint().string()));
  std::error_code error;
  fs::create_directories(run.folder, error);
  if (!error && ::access(run.folder.c_str(), W_OK) != 0) error = {errno, std::generic_category()};
  if (error)
    throw Error(
        fmt::format("--output {}: cannot write there: {}; choose another folder", name, error.message()));
  return run;
}

void clear(const RunFolder& run, const TrainingOptions& options) {
  // The checkpoint first: what is left if that is all there is time for is no run.
  for (const fs::path& file :
       {run.checkpoint(), run.log(), run.config(), run.curves(), run.model(options), run.last_model()})
    if (std::error_code error; !fs::remove(file, error) && error)
      throw Error(fmt::format("{}: cannot be deleted: {}; choose another --output folder", file.string(),
                              error.message()));
}

}  // namespace fmbym::training
