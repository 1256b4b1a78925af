// What a training step costs, as the paper compares its methods: the whole batch in one graph.
#pragma once

#include "fmbym/odometry/config.hpp"

namespace fmbym::training {

struct StepCost {
  int steps = 0;          // that were timed, after one to settle
  double step_ms = 0;     // median: forward, loss, backward, optimizer
  double memory_mb = 0;   // most that this process ever held
  double program_mb = 0;  // of that, held before there was a network
};

// For so many seconds, but one step at least. Pairs are noise: their time is that of any.
StepCost measure_step(const OdometryConfig& config, int batch, double seconds);

}  // namespace fmbym::training
