// How good a network is: the run-time odometry itself over the validation sequences.
#pragma once

#include "fmbym/masking/mask_model.hpp"
#include "training/examples.hpp"
#include "training/trainer.hpp"

namespace fmbym::training {

// Mean over the sequences. A sequence too short for the KITTI metric counts as one segment.
ValidationReport validate(const Datasets& sequences, OdometryConfig config, const MaskModel& model);

}  // namespace fmbym::training
