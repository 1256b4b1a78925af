#include "training/options.hpp"

#include <fmt/format.h>
#include <torch/cuda.h>

#include <cmath>

#include "fmbym/core/error.hpp"
#include "fmbym/masking/mask_network.hpp"

namespace fmbym::training {
namespace {

constexpr int kMostEpochs = 1'000'000, kMostPairs = 65536, kMostThreads = 256;

template <class Number>
void require(bool fine, const char* option, Number found, const char* expected) {
  if (!fine) throw Error(fmt::format("{} {}: expected {}; choose another value", option, found, expected));
}

void require_given(bool given, const char* option, const char* meaning) {
  if (!given) throw Error(fmt::format("{}: expected {}, found none; give {}", option, meaning, option));
}

bool is_weight(double value) {
  return std::isfinite(value) && value >= 0;
}

void check_loss(const LossWeights& loss) {
  const char* expected = "a number of 0 or more";
  require(is_weight(loss.yaw), "--yaw-weight", loss.yaw, expected);
  require(is_weight(loss.x), "--x-weight", loss.x, expected);
  require(is_weight(loss.y), "--y-weight", loss.y, expected);
  require(is_weight(loss.limit), "--loss-limit", loss.limit, expected);
  require(is_weight(loss.likelihood), "--likelihood", loss.likelihood, expected);
  if (loss.yaw + loss.x + loss.y == 0)
    throw Error(
        "--yaw-weight, --x-weight, --y-weight: expected one above 0, found only zeros; nothing would be "
        "learnt, so raise one");
}

void check_image(const TrainingOptions& options) {
  if (!uses_masks(options.method))
    throw Error(fmt::format("--method {}: expected a method with masks to train; choose f-mbym or mbym",
                            to_string(options.method)));
  imaging_for_resolution(options.resolution).validate();
  if (options.resolution < kSmallestMask)
    throw Error(fmt::format(
        "--resolution {}: the mask network halves the image five times and needs at least {} pixels a side; "
        "choose a higher one",
        options.resolution, kSmallestMask));
}

void check_steps(const TrainingOptions& options) {
  require(options.epochs >= 1 && options.epochs <= kMostEpochs, "--epochs", options.epochs,
          "a number from 1 to 1000000");
  require(options.consistency_epochs >= 0 && options.consistency_epochs <= kMostEpochs, "--pretrain-epochs",
          options.consistency_epochs, "a number from 1 to 1000000");
  require(options.batch >= 0 && options.batch <= kMostPairs, "--batch", options.batch,
          "a number of pairs from 1 to 65536, or 0 for the paper's");
  require(options.learning_rate >= 0 && options.learning_rate <= 1, "--lr", options.learning_rate,
          "a number above 0 and up to 1, or 0 for the paper's");
  require(std::isfinite(options.minutes) && options.minutes >= 0, "--minutes", options.minutes,
          "a number above 0, or 0 for no limit");
}

void check_device(const std::string& device) {
  if (device != "cpu" && device != "cuda")
    throw Error(fmt::format("--device {}: no such device; choose cpu or cuda", device));
  if (device == "cuda" && !torch::cuda::is_available())
    throw Error(
        "--device cuda: the installed libtorch finds no such device; choose cpu, or build with a libtorch "
        "for CUDA");
}

}  // namespace

PoseSource parse_pose_source(const std::string& name) {
  for (const PoseSource source : {PoseSource::ground_truth, PoseSource::odometry})
    if (name == to_string(source)) return source;
  throw Error(fmt::format("--poses {}: no such poses; choose ground-truth or odometry", name));
}

std::string to_string(PoseSource source) {
  return source == PoseSource::odometry ? "odometry" : "ground-truth";
}

int paper_batch(int resolution) {
  return resolution <= 127 ? 128 : resolution <= 255 ? 64 : 32;
}

double paper_learning_rate(int resolution) {
  return resolution >= 511 ? 1e-3 : 1e-4;
}

void TrainingOptions::validate() const {
  require_given(!train.empty(), "--train", "a sequence to train on");
  require_given(!val.empty(), "--val", "a sequence to validate on");
  require_given(!output.empty(), "--output", "a folder for the run");
  check_image(*this);
  check_steps(*this);
  check_loss(loss);
  if (loss.likelihood > 0 && preset == Preset::standard)
    throw Error(fmt::format(
        "--likelihood {}: the default preset refines its matches, and has no soft arg-max that would say how "
        "likely they are; leave it out, or choose --preset paper",
        loss.likelihood));
  require(threads >= 1 && threads <= kMostThreads, "--threads", threads, "a number from 1 to 256");
  check_device(device);
  if (resume && force)
    throw Error(
        "--resume and --force: the one goes on with a run, the other begins anew; leave one of them out");
}

}  // namespace fmbym::training
