// The folder of a training run: what lies where, and whether a run may begin there.
#pragma once

#include <filesystem>

#include "training/options.hpp"

namespace fmbym::training {

struct RunFolder {
  std::filesystem::path folder;

  std::filesystem::path checkpoint() const { return folder / "checkpoint.safetensors"; }  // to resume
  std::filesystem::path log() const { return folder / "log.jsonl"; }                      // a line an epoch
  std::filesystem::path config() const { return folder / "config.json"; }
  std::filesystem::path curves() const { return folder / "curves.png"; }
  // The best weights so far, by the name under which odometry looks for them.
  std::filesystem::path model(const TrainingOptions& options) const;
  std::filesystem::path last_model() const { return folder / "last.safetensors"; }  // those of the last epoch

  // Nothing is lost by beginning anew before the first checkpoint.
  bool holds_run() const;
};

// Creates the folder. Throws Error where it can't be written to, where it holds a run and neither --resume
// nor
// --force is given, and where there is none to resume.
RunFolder open_run_folder(const TrainingOptions& options);

// Removes what a former run left, before a new one begins.
void clear(const RunFolder& run, const TrainingOptions& options);

}  // namespace fmbym::training
