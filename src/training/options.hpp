// What a training run is told: the paper's choices are the defaults.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "fmbym/datasets/dataset.hpp"
#include "fmbym/odometry/config.hpp"

namespace fmbym::training {

// |θ|, |x| and |y| of the error, each mean over the batch [rad, m, m].
struct LossWeights {
  double yaw = 1, x = 1, y = 1;
  // A pair with an error e, so weighted, counts as limit · ln(1 + e / limit): one that is far off, because it
  // was matched with another peak, does not drown the others. 0: as e.
  double limit = 0;
  // How much it counts besides how unlikely the soft arg-max took the truth to be: -ln of its weight. A peak
  // at a wrong place teaches by its height, not only by where the mean of all peaks lies. 0: the paper's.
  double likelihood = 0;
};

// Where the poses to learn from come from.
enum class PoseSource { ground_truth, odometry };
PoseSource parse_pose_source(const std::string& name);  // throws Error
std::string to_string(PoseSource source);               // "ground-truth", "odometry"

int paper_batch(int resolution);             // 128, 64 and 32 at 127, 255 and 511
double paper_learning_rate(int resolution);  // 1e-3 at 511, else 1e-4

struct TrainingOptions {
  std::vector<std::filesystem::path> train, val;  // sequences
  CalibrationOverride calibration;
  PoseSource poses = PoseSource::ground_truth;
  Method method = Method::f_mbym;
  Preset preset = Preset::paper;
  int resolution = 255;
  int epochs = 80;
  int batch = 0;             // pairs a step; 0: the paper's for the resolution
  double learning_rate = 0;  // 0: the paper's for the resolution
  bool anneal = false;       // lower the learning rate to 0 along a cosine, over the epochs of the poses
  LossWeights loss;
  bool augment = false;          // turned, mirrored, swapped, two and three scans apart
  int consistency_epochs = 0;    // of the head start, before the poses
  std::filesystem::path init;    // a model to start from; empty: random weights
  std::filesystem::path output;  // folder of the run
  bool resume = false;           // go on with the run in the output folder
  bool force = false;            // begin anew there
  std::uint64_t seed = 1;
  double minutes = 0;  // stop after the epoch that reaches this; 0: no limit
  int threads = 2;
  std::string device = "cpu";
  std::string licence;  // of the weights, for their file; empty: nothing is said

  void validate() const;  // throws Error

  // What 0 stands for put in its place.
  int pairs_a_step() const { return batch > 0 ? batch : paper_batch(resolution); }
  double step_size() const { return learning_rate > 0 ? learning_rate : paper_learning_rate(resolution); }
};

}  // namespace fmbym::training
