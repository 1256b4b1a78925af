// What the network learns from: images of scans, and pairs of them whose motion is known.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "fmbym/core/se2.hpp"
#include "fmbym/datasets/dataset.hpp"
#include "fmbym/odometry/config.hpp"

namespace fmbym::training {

// Two images and the pose of the first in the frame of the second.
struct Example {
  std::int64_t current = 0, reference = 0;  // in ExampleSet::images
  SE2 T_reference_current;
};

struct ExampleSet {
  torch::Tensor images;   // (image, n, n), half precision, power from 0 to 1
  torch::Tensor targets;  // (image, n, n), 0 or 1: what the neighbouring scans agree on; only where asked for
  bool any_gain = false;  // as measured, so that another radar's would be brighter or darker
  // For each scan that has a partner the examples that can stand for it: one of them in an epoch.
  std::vector<std::vector<Example>> choices;
};

struct ExampleOptions {
  bool augment = false;  // turned, swapped, two and three scans apart; maps seen from elsewhere
  bool targets = false;  // of consistency
  std::uint64_t seed = 1;
  int threads = 1;
};

using Datasets = std::vector<std::unique_ptr<Dataset>>;

// Forms every image once. In the paper's preset the examples are successive scans; in the standard one a
// scan without its motion, and the map of its predecessors by ground truth, seen from where a prediction
// might have put it. Throws Error naming the sequence that has no pair with ground truth, and saying how much
// memory is needed where there is not enough.
ExampleSet form_examples(const Datasets& datasets, const OdometryConfig& config,
                         const ExampleOptions& options);

// A batch as the network and the matcher take it.
struct Batch {
  torch::Tensor scans;    // (batch, 2, n, n): current and reference
  torch::Tensor targets;  // likewise, of consistency; undefined where there are none
  torch::Tensor poses;    // (batch, 3): T_reference_current as x, y [m] and yaw [rad]
};

// The eight ways to turn a square by quarters and to mirror it.
struct Symmetry {
  int quarter_turns = 0;  // clockwise
  bool mirrored = false;  // left and right, before turning
};
torch::Tensor apply(const Symmetry& symmetry, const torch::Tensor& images);  // (…, n, n)
SE2 apply(const Symmetry& symmetry, const SE2& motion);

// The examples of an epoch in their order, each scan once: the same for the same seed and epoch.
struct Drawn {
  Example example;
  Symmetry symmetry;
  // Then turned, each by an angle of its own, clockwise [rad]: vehicles mostly go straight, and a network
  // that saw nothing else would learn that they always do.
  double current_turn = 0, reference_turn = 0;
  double gain = 1;  // of the radar, for both: powers are multiplied by it, and end at full scale
};
SE2 turned(const SE2& motion, double current_turn, double reference_turn);
std::vector<Drawn> draw_epoch(const ExampleSet& set, bool augment, std::uint64_t seed, int epoch);

Batch make_batch(const ExampleSet& set, std::span<const Drawn> drawn);

}  // namespace fmbym::training
