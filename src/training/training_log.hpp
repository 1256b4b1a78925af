// The log of a training run: a line of JSON an epoch, each on disk when its epoch is over.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "training/trainer.hpp"

namespace fmbym::training {

class TrainingLog {
 public:
  // Keeps what an earlier part of the run has logged, where it is resumed.
  TrainingLog(std::filesystem::path file, bool resumed);

  // The first line of a run drops those of its own epoch and of later ones: they were made after the
  // checkpoint that it goes on from, or by another run. Throws Error when it can't be written.
  void append(const EpochReport& report);

 private:
  void keep_epochs_before(int epoch) const;

  std::filesystem::path file_;
  bool resumed_, begun_ = false;
};

nlohmann::ordered_json validation_json(const std::optional<ValidationReport>& validation);  // or null

// All whole lines of it; none where there is no such file.
std::vector<EpochReport> read_training_log(const std::filesystem::path& file);

}  // namespace fmbym::training
