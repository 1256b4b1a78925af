// fmbym train: sequences with ground truth or without in, the weights of the mask network out.
#include <fmt/format.h>

#include <memory>

#include "app/command.hpp"
#include "app/interrupt.hpp"
#include "app/note.hpp"
#include "app/options.hpp"
#include "app/train/torch_errors.hpp"
#include "app/train/training_display.hpp"
#include "app/train/training_record.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/report/training_curves.hpp"

namespace fmbym::app {
namespace {

namespace fs = std::filesystem;
using training::RunFolder;
using training::StopReason;
using training::TrainingOptions;
using training::TrainingResult;

struct TrainCommand {
  TrainingOptions options;
  std::string method = "f-mbym", preset = "paper", poses = "ground-truth", pretrain;
  int pretrain_epochs = 10;
  bool json = false;
};

TrainingOptions resolved(const TrainCommand& command) {
  TrainingOptions options = command.options;
  options.method = parse_method(command.method);
  options.preset = parse_preset(command.preset);
  options.poses = training::parse_pose_source(command.poses);
  if (!command.pretrain.empty()) {
    if (command.pretrain != "consistency")
      throw Error(fmt::format("--pretrain {}: no such head start; choose consistency, or leave it out",
                              command.pretrain));
    if (command.pretrain_epochs < 1)
      throw Error(fmt::format("--pretrain-epochs {}: expected 1 or more; leave --pretrain out to do without",
                              command.pretrain_epochs));
    options.consistency_epochs = command.pretrain_epochs;
  }
  options.validate();
  return options;
}

void note_overlap(const TrainingOptions& options) {
  std::error_code none;
  for (const fs::path& val : options.val)
    for (const fs::path& train : options.train)
      if (fs::equivalent(val, train, none))
        note("note: {} is trained on and validated on: its score says nothing about other drives\n",
             val.string());
}

TrainingCurves curves_of(const std::vector<training::EpochReport>& epochs, const TrainingOptions& options) {
  TrainingCurves curves{fmt::format("{} at {}, {} preset", to_string(options.method), options.resolution,
                                    to_string(options.preset)),
                        {}};
  for (const training::EpochReport& epoch : epochs) {
    TrainingCurves::Epoch point{epoch.epoch, epoch.stage == "consistency", epoch.loss, {}, {}, epoch.best};
    if (epoch.validation) {
      point.translation_percent = epoch.validation->translation_percent;
      point.rotation_deg_per_km = epoch.validation->rotation_deg_per_km;
    }
    curves.epochs.push_back(point);
  }
  return curves;
}

void print_result(const TrainingResult& result, const TrainingOptions& options, const RunFolder& run) {
  if (!result.best) {
    fmt::print("{} epochs, none validated yet\n", result.epochs_done);
    return;
  }
  fmt::print(
      "{} at {}, {} preset: epoch {} of {} is the best\n"
      "  val     {:.3f} % and {:.3f} °/km\n"
      "  model   {}\n"
      "  curves  {}\n"
      "  use it  fmbym odometry SEQUENCE --method {} --resolution {} --preset {} --model {}\n",
      to_string(options.method), options.resolution, to_string(options.preset), result.best_epoch,
      result.epochs_done, result.best->translation_percent, result.best->rotation_deg_per_km,
      result.model.string(), run.curves().string(), to_string(options.method), options.resolution,
      to_string(options.preset), result.model.string());
}

// The display ends before anything else is printed.
TrainingResult train_visibly(const TrainingOptions& options, const RunFolder& run) {
  TrainingDisplay display(options, run);
  return training::train(options, display);
}

int run_train(const TrainCommand& command) {
  const TrainingOptions options = resolved(command);
  const RunFolder run = open_run_folder(options);
  note_overlap(options);
  watch_for_interrupt();
  const TrainingResult result = train_visibly(options, run);
  if (const auto epochs = training::read_training_log(run.log()); !epochs.empty())
    write_training_curves(run.curves(), curves_of(epochs, options));
  if (command.json)
    fmt::print("{}\n", result_json(result, options).dump(2));
  else
    print_result(result, options, run);
  if (result.reason == StopReason::finished) return kDone;
  if (result.epochs_done == 0)  // out of time is said after an epoch at least
    note("interrupted before the first epoch was over; nothing is kept, so give the same command again\n");
  else
    note("{} after {} epochs; the same command with --resume goes on\n",
         result.reason == StopReason::interrupted ? "interrupted" : "out of time", result.epochs_done);
  return result.reason == StopReason::interrupted ? kInterrupted : kDone;
}

void add_data_options(CLI::App& command, TrainCommand& train) {
  TrainingOptions& options = train.options;
  command.add_option("--train", options.train, "Sequences to train on")->required()->type_name("SEQUENCE");
  command.add_option("--val", options.val, "Sequences to choose the best epoch by")
      ->required()
      ->type_name("SEQUENCE");
  command
      .add_option("--poses", train.poses,
                  "What to learn from: ground-truth, or odometry (the poses that f-raw finds at 511 pixels)")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--output", options.output, "Folder of the run: weights, checkpoint, log, curves")
      ->required()
      ->type_name("DIR");
  command.add_flag("--resume", options.resume, "Go on with the run in that folder");
  command.add_flag("--force", options.force, "Begin anew there, and delete the run that is there");
  add_sensor_options(command, options.calibration);
}

void add_matching_options(CLI::App& command, TrainCommand& train) {
  command.add_option("--method", train.method, "The search to train through: f-mbym or mbym")
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--preset", train.preset,
                  "paper (scan to scan, Algorithm 1) or default (compensated scan to local map, refined)")
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--resolution", train.options.resolution,
                  "Pixels a side: 127, 255 or 511, or any odd number")
      ->type_name("N")
      ->capture_default_str();
}

void add_loop_options(CLI::App& command, TrainCommand& train) {
  TrainingOptions& options = train.options;
  const auto number = [&](const char* name, auto& value, const char* meaning) {
    command.add_option(name, value, meaning)->type_name("N")->capture_default_str();
  };
  number("--epochs", options.epochs, "Passes over the pairs, with the loss of the poses");
  number("--batch", options.batch, "Pairs a step; 0: the paper's, 128, 64 and 32 at 127, 255 and 511");
  number("--lr", options.learning_rate, "Learning rate; 0: the paper's, 1e-4, and 1e-3 at 511");
  command.add_flag("--anneal", options.anneal, "Lower the learning rate to 0 along a cosine");
  number("--yaw-weight", options.loss.yaw, "Of the error of the yaw in radians, in the loss");
  number("--x-weight", options.loss.x, "Of the error forward in metres");
  number("--y-weight", options.loss.y, "Of the error sideways in metres");
  number(
      "--loss-limit", options.loss.limit,
      "A pair with an error e counts as limit · ln(1 + e / limit), so that gross ones weigh less; 0: as e");
  number(
      "--likelihood", options.loss.likelihood,
      "Weight of how unlikely the search took the true motion to be, -ln of its weight in the soft arg-max");
  command.add_flag("--augment", options.augment,
                   "Also turned, mirrored and swapped pairs, and scans two and three apart");
  CLI::Option* pretrain =
      command
          .add_option("--pretrain", train.pretrain,
                      "A head start: consistency (first learn what neighbouring scans agree on)")
          ->type_name("NAME");
  command.add_option("--pretrain-epochs", train.pretrain_epochs, "Its epochs, before those of the poses")
      ->type_name("N")
      ->capture_default_str()
      ->needs(pretrain);
  command.add_option("--init", options.init, "Weights to start from, of any resolution [random ones]")
      ->type_name("MODEL");
}

void add_run_options(CLI::App& command, TrainCommand& train) {
  TrainingOptions& options = train.options;
  command.add_option("--seed", options.seed, "Of all that is random; the same seed gives the same weights")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_option("--minutes", options.minutes, "Stop after the epoch that reaches this; 0: no limit")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--threads", options.threads, "Threads to use")->type_name("N")->capture_default_str();
  command.add_option("--device", options.device, "cpu, or cuda where the installed libtorch knows it")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--licence", options.licence, "Licence of the weights, to be stated in their file")
      ->type_name("TEXT");
  add_json_option(command, train.json);
}

}  // namespace

void add_train_command(CLI::App& program, Run& run) {
  auto train = std::make_shared<TrainCommand>();
  train->options.threads = MethodOptions::default_threads();
  CLI::App* command =
      program.add_subcommand("train", "Train the mask network on sequences of scans and their poses");
  add_data_options(*command, *train);
  add_matching_options(*command, *train);
  add_loop_options(*command, *train);
  add_run_options(*command, *train);
  command->callback(
      [train, &run] { run = [train] { return explained([&] { return run_train(*train); }); }; });
}

}  // namespace fmbym::app
