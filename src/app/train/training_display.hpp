// What the user sees of a training run while it goes on, and what it leaves beside the weights.
#pragma once

#include <chrono>

#include "training/run_folder.hpp"
#include "training/training_log.hpp"

namespace fmbym::app {

// On a terminal a line that changes with every step; a line that stays for every epoch. On stderr.
class TrainingDisplay : public training::TrainingObserver {
 public:
  TrainingDisplay(const training::TrainingOptions& options, const training::RunFolder& run);
  ~TrainingDisplay() override;  // clears the changing line
  TrainingDisplay(const TrainingDisplay&) = delete;
  TrainingDisplay& operator=(const TrainingDisplay&) = delete;

  void on_pose(const training::PoseReport& pose) override;
  void on_start(const training::StartReport& start) override;
  void on_step(const training::StepReport& step) override;
  void on_epoch(const training::EpochReport& epoch) override;  // also logs it; throws Error
  bool should_stop() override;

 private:
  using Clock = std::chrono::steady_clock;
  void clear_line();
  bool time_to_draw();  // not more often than anybody can read

  const training::TrainingOptions& options_;
  training::RunFolder run_;
  training::TrainingLog log_;
  int epochs_ = 0;
  bool terminal_, config_written_ = false;
  Clock::time_point last_drawn_{};
};

}  // namespace fmbym::app
