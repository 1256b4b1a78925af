#include "app/train/training_display.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <numbers>

#include "app/clock_time.hpp"
#include "app/interrupt.hpp"
#include "app/note.hpp"
#include "app/train/training_record.hpp"
#include "fmbym/core/file.hpp"

namespace fmbym::app {
namespace {

constexpr auto kRedrawAfter = std::chrono::milliseconds(100);

std::string validation_text(const training::ValidationReport& v) {
  constexpr double degrees = 180 / std::numbers::pi;
  return fmt::format("val {:.3f} % and {:.2f} °/km, |x| {:.3f} m, |y| {:.3f} m, |yaw| {:.3f}°",
                     v.translation_percent, v.rotation_deg_per_km, v.x, v.y, v.yaw * degrees);
}

}  // namespace

TrainingDisplay::TrainingDisplay(const training::TrainingOptions& options, const training::RunFolder& run)
    : options_(options),
      run_(run),
      log_(run.log(), options.resume),
      terminal_(::isatty(STDERR_FILENO) != 0) {}

TrainingDisplay::~TrainingDisplay() {
  clear_line();
}

void TrainingDisplay::clear_line() {
  if (terminal_) note("\r\033[K");
}

bool TrainingDisplay::time_to_draw() {
  const auto now = Clock::now();
  if (now - last_drawn_ < kRedrawAfter) return false;
  last_drawn_ = now;
  return true;
}

void TrainingDisplay::on_pose(const training::PoseReport& pose) {
  if (!terminal_) {
    if (pose.scan == pose.scans) note("poses of {}: {} scans\n", pose.sequence, pose.scans);
    return;
  }
  if (!time_to_draw() && pose.scan != pose.scans) return;
  note("\r\033[Kposes of {}  {}/{} scans", pose.sequence, pose.scan, pose.scans);
  std::fflush(stderr);
}

void TrainingDisplay::on_start(const training::StartReport& start) {
  epochs_ = start.epochs;
  clear_line();
  note("{} pairs to train on, {} to validate; {} epochs{}, {} pairs a step\n", start.train_pairs,
       start.val_pairs, start.epochs,
       start.epochs_done > 0 ? fmt::format(", {} of them done", start.epochs_done) : "",
       options_.pairs_a_step());
}

void TrainingDisplay::on_step(const training::StepReport& step) {
  if (!terminal_ || (!time_to_draw() && step.step != step.steps)) return;
  note("\r\033[Kepoch {}/{}  step {}/{}  loss {:.4f}  {:.1f} pairs/s  {} left", step.epoch, step.epochs,
       step.step, step.steps, step.loss, step.rate, clock_time(step.remaining));
  std::fflush(stderr);
}

void TrainingDisplay::on_epoch(const training::EpochReport& epoch) {
  // Not before: until the first epoch is over a former run may still be resumed.
  if (!config_written_) write_file(run_.config(), options_json(options_).dump(2) + "\n");
  config_written_ = true;
  log_.append(epoch);
  clear_line();
  note("epoch {}/{} ({}): loss {:.4f}, {:.1f} pairs/s, {}{}{}\n", epoch.epoch, epochs_, epoch.stage,
       epoch.loss, epoch.rate, clock_time(epoch.seconds),
       epoch.validation ? "; " + validation_text(*epoch.validation) : "", epoch.best ? ", the best yet" : "");
}

bool TrainingDisplay::should_stop() {
  return interrupted();
}

}  // namespace fmbym::app
