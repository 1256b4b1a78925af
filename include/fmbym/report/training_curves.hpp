// A picture of how a training run went: loss and validation error from epoch to epoch.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fmbym {

struct TrainingCurves {
  struct Epoch {
    int epoch = 0;            // from 1
    bool head_start = false;  // with the loss of the head start, not of the poses
    double loss = 0;
    std::optional<double> translation_percent, rotation_deg_per_km;  // validation, where there was one
    bool best = false;                                               // of all epochs up to it
  };

  std::string title;
  std::vector<Epoch> epochs;  // one at least, in their order
};

// Whole or not at all. Throws Error naming the file when it can't be written.
void write_training_curves(const std::filesystem::path& png, const TrainingCurves& curves);

}  // namespace fmbym
