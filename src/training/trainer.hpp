// The training loop: from sequences with ground truth to the weights of the mask network.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "training/options.hpp"

namespace fmbym::training {

// Epochs are counted from 1 through both stages: first those of the head start, then those of the poses.
struct StartReport {
  std::size_t train_pairs = 0, val_pairs = 0;
  int epochs = 0;       // of both stages
  int epochs_done = 0;  // before this run was resumed
};

// While poses are found by odometry, before training begins.
struct PoseReport {
  std::string sequence;
  std::size_t scan = 0, scans = 0;  // from 1
};

struct StepReport {
  int epoch = 0, epochs = 0;
  int step = 0, steps = 0;  // of the epoch, from 1
  double loss = 0;          // mean over the epoch so far
  double rate = 0;          // [pairs/s]
  double remaining = 0;     // to the end of the run [s]
};

// Over the validation sequences.
struct ValidationReport {
  double translation_percent = 0, rotation_deg_per_km = 0;  // KITTI
  double x = 0, y = 0;                                      // mean absolute errors [m]
  double yaw = 0;                                           // likewise [rad]
};

struct EpochReport {
  int epoch = 0;
  std::string stage;      // "consistency" or "pose"
  double loss = 0;        // mean over the epoch
  double rate = 0;        // [pairs/s]
  double data_share = 0;  // of the time, spent waiting for data, from 0 to 1
  double seconds = 0;
  std::optional<ValidationReport> validation;
  bool best = false;  // of all epochs so far
};

class TrainingObserver {
 public:
  virtual ~TrainingObserver() = default;

  virtual void on_pose(const PoseReport&) {}
  // Once all input is read and checked, before anything is written to the folder of the run.
  virtual void on_start(const StartReport&) {}
  virtual void on_step(const StepReport&) {}
  // Before weights and checkpoint of the epoch are written: killed in between, the epoch is made and reported
  // again, but never left out.
  virtual void on_epoch(const EpochReport&) {}
  // Asked after every step and every pose. What is not a whole epoch is lost.
  virtual bool should_stop() { return false; }
};

enum class StopReason { finished, out_of_time, interrupted };

struct TrainingResult {
  StopReason reason = StopReason::finished;
  int epochs_done = 0;  // whole ones of both stages, before and after resuming
  int best_epoch = 0;   // 0: none was validated yet
  std::optional<ValidationReport> best;
  std::filesystem::path model;  // the weights of the best epoch; empty where there is none
  double seconds = 0;           // of this run
};

// Options must be valid. Throws Error: unusable data, a loss that is no number, a full disk.
TrainingResult train(const TrainingOptions& options, TrainingObserver& observer);

}  // namespace fmbym::training
