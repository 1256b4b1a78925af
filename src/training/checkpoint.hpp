// All that resuming needs, in one file that is either whole or the one before.
#pragma once

#include <torch/optim/adam.h>

#include <filesystem>
#include <optional>

#include "training/network.hpp"
#include "training/trainer.hpp"

namespace fmbym::training {

struct Progress {
  int epochs_done = 0;
  int best_epoch = 0;  // 0: none yet
  std::optional<ValidationReport> best;
};

// The options that a resumed run must share with the one it goes on with, as text.
std::string fingerprint(const TrainingOptions& options);

void write_checkpoint(const std::filesystem::path& file, MaskUnet& network, torch::optim::Adam& optimizer,
                      const Progress& progress, const TrainingOptions& options);
// Throws Error where the file is damaged, or of a run with other options.
Progress read_checkpoint(const std::filesystem::path& file, MaskUnet& network, torch::optim::Adam& optimizer,
                         const TrainingOptions& options);

}  // namespace fmbym::training
