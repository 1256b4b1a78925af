#include "training/trainer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adam.h>
#include <torch/utils.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "fmbym/core/error.hpp"
#include "fmbym/core/stopwatch.hpp"
#include "training/checkpoint.hpp"
#include "training/found_poses.hpp"
#include "training/freed_memory.hpp"
#include "training/losses.hpp"
#include "training/replicas.hpp"
#include "training/run_folder.hpp"
#include "training/validation.hpp"

namespace fmbym::training {
namespace {

constexpr double kExploded = 10;        // times the lowest loss of an epoch so far
constexpr double kLargestGradient = 1;  // norm; a flat correlation peak makes any
constexpr double kSameGeometry = 0.01;  // relative difference of range resolutions that does not matter

Datasets open_all(const std::vector<std::filesystem::path>& folders, const CalibrationOverride& calibration) {
  Datasets opened;
  for (const auto& folder : folders) opened.push_back(open_dataset(folder, calibration));
  return opened;
}

bool has_poses(const Dataset& sequence) {
  const auto& T_world = sequence.ground_truth();
  return std::count_if(T_world.begin(), T_world.end(), [](const auto& pose) { return pose.has_value(); }) > 1;
}

void require_poses(const Datasets& sequences, const std::vector<std::filesystem::path>& folders,
                   PoseSource source) {
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    if (has_poses(*sequences[i])) continue;
    const char* found =
        source == PoseSource::odometry
            ? "the odometry matched no two of its scans, and training learns from their poses; look what it "
              "is with fmbym odometry"
            : "expected ground truth of at least two scans (gt/radar_odometry.csv), found none; training "
              "learns from poses: --poses odometry takes those that the odometry finds";
    throw Error(fmt::format("{}: {}", folders[i].string(), found));
  }
}

void require_same_geometry(const Datasets& some, const Datasets& more, const TrainingOptions& options) {
  const SensorCalibration& first = some.front()->calibration();
  const auto check = [&](const Datasets& sequences, const std::vector<std::filesystem::path>& folders) {
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      const SensorCalibration& other = sequences[i]->calibration();
      if (std::abs(other.range_resolution / first.range_resolution - 1) > kSameGeometry)
        throw Error(fmt::format(
            "{}: range bins of {:.4g} m, those of {} have {:.4g} m; train on sequences of one geometry",
            folders[i].string(), other.range_resolution, options.train.front().string(),
            first.range_resolution));
    }
  };
  check(some, options.train);
  check(more, options.val);
}

std::string name_of(const std::filesystem::path& folder) {
  const std::filesystem::path normal = folder.lexically_normal();  // with a slash at the end, as given
  return (normal.has_filename() ? normal : normal.parent_path()).filename().string();
}

std::string names_of(const std::vector<std::filesystem::path>& folders) {
  std::vector<std::string> names;
  for (const auto& folder : folders) names.push_back(name_of(folder));
  return fmt::format("{}", fmt::join(names, ", "));
}

class Training {
 public:
  Training(const TrainingOptions& options, TrainingObserver& observer)
      : options_(options),
        observer_(observer),
        run_(open_run_folder(options)),
        config_(make_config(options.method, options.preset, options.resolution)),
        device_(options.device),
        replicas_(begin(options), device_),
        optimizer_(replicas_.network()->parameters(), torch::optim::AdamOptions(options.step_size())) {
    config_.threads = options.threads;
    if (options.resume)
      progress_ = read_checkpoint(run_.checkpoint(), replicas_.network(), optimizer_, options);
    else
      begin_network();
    replicas_.follow();
  }

  TrainingResult run() {
    TrainingResult result;
    if (!load_data()) result.reason = StopReason::interrupted;
    while (progress_.epochs_done < epochs() && result.reason == StopReason::finished) {
      if (!train_epoch(progress_.epochs_done + 1)) {
        result.reason = StopReason::interrupted;
      } else if (out_of_time() && progress_.epochs_done < epochs()) {
        result.reason = StopReason::out_of_time;
      }
    }
    result.epochs_done = progress_.epochs_done;
    result.best_epoch = progress_.best_epoch;
    result.best = progress_.best;
    if (progress_.best) result.model = run_.model(options_);
    result.seconds = watch_.seconds();
    return result;
  }

 private:
  // Before the first tensor: the weights come from the seed.
  static int begin(const TrainingOptions& options) {
    keep_freed_memory();
    torch::manual_seed(options.seed);
    return options.threads;
  }

  void begin_network() {
    MaskUnet& network = replicas_.network();
    network->set_temperatures(config_.fourier.yaw_temperature, config_.fourier.translation_temperature);
    if (options_.init.empty()) return;
    const TensorFile file = read_tensor_file(options_.init);
    network->load(file, options_.init.string());
    const ModelInfo info = parse_model(file, options_.init.string()).info;
    if (info.yaw_temperature && info.translation_temperature)
      network->set_temperatures(*info.yaw_temperature, *info.translation_temperature);
  }

  // Whether it came to its end.
  bool load_data() {
    Datasets train = open_all(options_.train, options_.calibration);
    val_ = open_all(options_.val, options_.calibration);
    require_same_geometry(train, val_, options_);
    if (options_.poses == PoseSource::odometry && !find_poses(train)) return false;
    require_poses(train, options_.train, options_.poses);
    require_poses(val_, options_.val, options_.poses);
    const bool consistency = progress_.epochs_done < options_.consistency_epochs;
    examples_ =
        form_examples(train, config_, {options_.augment, consistency, options_.seed, options_.threads});
    std::size_t val_pairs = 0;
    for (const auto& sequence : val_) val_pairs += sequence->size() - 1;
    observer_.on_start({examples_.choices.size(), val_pairs, epochs(), progress_.epochs_done});
    if (!options_.resume) clear(run_, options_);
    return true;
  }

  // Of all sequences to train on, and of those to validate on that have no ground truth. Whether it came to
  // its end.
  bool find_poses(Datasets& train) {
    const auto find = [&](std::unique_ptr<Dataset>& sequence, const std::filesystem::path& folder) {
      const std::size_t scans = sequence->size();
      sequence = with_found_poses(std::move(sequence), [&](std::size_t done) {
        observer_.on_pose({name_of(folder), done, scans});
        return !observer_.should_stop();
      });
      return sequence != nullptr;
    };
    for (std::size_t i = 0; i < train.size(); ++i)
      if (!find(train[i], options_.train[i])) return false;
    for (std::size_t i = 0; i < val_.size(); ++i)
      if (!has_poses(*val_[i]) && !find(val_[i], options_.val[i])) return false;
    return true;
  }

  int epochs() const { return options_.consistency_epochs + options_.epochs; }
  bool is_consistency(int epoch) const { return epoch <= options_.consistency_epochs; }
  bool out_of_time() const { return options_.minutes > 0 && watch_.seconds() >= options_.minutes * 60; }

  Replicas::Loss loss_of(int epoch) {
    if (is_consistency(epoch)) return consistency_loss;
    if (!pose_loss_) pose_loss_ = make_pose_loss(config_, options_.loss, torch::TensorOptions(device_));
    return pose_loss_;
  }

  // Half a cosine over the epochs of the poses, so that the last steps are small.
  double step_size(int epoch, double part) const {
    if (!options_.anneal || is_consistency(epoch)) return options_.step_size();
    const double done = (epoch - 1 - options_.consistency_epochs + part) / options_.epochs;
    return options_.step_size() * 0.5 * (1 + std::cos(std::numbers::pi * done));
  }

  // Whether it came to its end.
  bool train_epoch(int epoch) {
    Stopwatch watch;
    const double data_before = replicas_.data_seconds();
    const std::vector<Drawn> drawn = draw_epoch(examples_, options_.augment, options_.seed, epoch);
    const auto batch = std::size_t(options_.pairs_a_step());
    const std::size_t steps = (drawn.size() + batch - 1) / batch;
    double sum = 0;
    for (std::size_t step = 0; step < steps; ++step) {
      const std::size_t first = step * batch, count = std::min(batch, drawn.size() - first);
      set_step_size(step_size(epoch, double(step) / double(steps)));
      sum += double(count) * train_step({drawn.data() + first, count}, epoch, step);
      report_step(epoch, step, steps, sum / double(first + count), double(first + count) / watch.seconds(),
                  drawn.size());
      if (observer_.should_stop()) return false;
    }
    EpochReport report;
    report.epoch = epoch;
    report.stage = is_consistency(epoch) ? "consistency" : "pose";
    report.loss = sum / double(drawn.size());
    report.rate = double(drawn.size()) / watch.seconds();
    report.data_share = (replicas_.data_seconds() - data_before) / watch.seconds();
    require_no_explosion(report);
    finish_epoch(report, watch);
    return true;
  }

  double train_step(std::span<const Drawn> drawn, int epoch, std::size_t step) {
    const double loss = replicas_.accumulate(examples_, drawn, loss_of(epoch));
    if (!std::isfinite(loss))
      throw Error(fmt::format(
          "the loss of epoch {}, step {} is no number; {} has the last good epoch: try a lower --lr", epoch,
          step + 1, run_.checkpoint().string()));
    torch::nn::utils::clip_grad_norm_(replicas_.network()->parameters(), kLargestGradient);
    optimizer_.step();
    replicas_.follow();
    return loss;
  }

  void set_step_size(double value) {
    for (auto& group : optimizer_.param_groups())
      static_cast<torch::optim::AdamOptions&>(group.options()).lr(value);
  }

  void report_step(int epoch, std::size_t step, std::size_t steps, double loss, double rate,
                   std::size_t pairs) {
    const double epochs_left = epochs() - epoch + 1 - double(step + 1) / double(steps);
    double remaining = epochs_left * (double(pairs) / rate + validation_seconds_);
    if (options_.minutes > 0) remaining = std::min(remaining, options_.minutes * 60 - watch_.seconds());
    observer_.on_step({epoch, epochs(), int(step + 1), int(steps), loss, rate, std::max(0.0, remaining)});
  }

  void require_no_explosion(const EpochReport& report) {
    double& lowest = is_consistency(report.epoch) ? lowest_consistency_ : lowest_pose_;
    if (report.loss > kExploded * lowest)
      throw Error(fmt::format(
          "the loss exploded in epoch {}: {:.3g} after {:.3g}; {} has the last good epoch: try a lower --lr",
          report.epoch, report.loss, lowest, run_.checkpoint().string()));
    lowest = std::min(lowest, report.loss);
  }

  void finish_epoch(EpochReport& report, const Stopwatch& watch) {
    Stopwatch validating;
    TensorFile weights = replicas_.network()->to_tensor_file(TensorType::f16);
    weights.metadata = to_metadata(info(report.epoch));
    report.validation = validate(val_, config_, parse_model(weights, "the network in training"));
    validation_seconds_ = validating.seconds();
    report.best =
        !progress_.best || report.validation->translation_percent < progress_.best->translation_percent;
    report.seconds = watch.seconds();
    progress_.epochs_done = report.epoch;
    if (report.best) {
      progress_.best = report.validation;
      progress_.best_epoch = report.epoch;
      weights.metadata = to_metadata(info(report.epoch));
    }
    observer_.on_epoch(report);
    if (report.best) write_tensor_file(run_.model(options_), weights);
    write_tensor_file(run_.last_model(), weights);
    write_checkpoint(run_.checkpoint(), replicas_.network(), optimizer_, progress_, options_);
  }

  ModelInfo info(int epoch) {
    ModelInfo info;
    const torch::Tensor temperatures = replicas_.network()->temperatures().detach();
    info.yaw_temperature = temperatures[0].item<float>();
    info.translation_temperature = temperatures[1].item<float>();
    info.method = to_string(options_.method);
    info.preset = to_string(options_.preset);
    info.resolution = options_.resolution;
    info.metres_per_pixel = config_.imaging.metres_per_pixel;
    info.training_data = names_of(options_.train);
    info.epoch = epoch;
    info.licence = options_.licence;
    if (progress_.best && progress_.best_epoch == epoch) {
      info.validation_translation_percent = progress_.best->translation_percent;
      info.validation_rotation_deg_per_km = progress_.best->rotation_deg_per_km;
    }
    return info;
  }

  TrainingOptions options_;
  TrainingObserver& observer_;
  RunFolder run_;
  OdometryConfig config_;
  torch::Device device_;
  Replicas replicas_;
  torch::optim::Adam optimizer_;
  Datasets val_;
  ExampleSet examples_;
  Replicas::Loss pose_loss_;
  Progress progress_;
  Stopwatch watch_;
  double validation_seconds_ = 0;
  double lowest_consistency_ = std::numeric_limits<double>::max() / kExploded;
  double lowest_pose_ = lowest_consistency_;
};

}  // namespace

TrainingResult train(const TrainingOptions& options, TrainingObserver& observer) {
  return Training(options, observer).run();
}

}  // namespace fmbym::training
