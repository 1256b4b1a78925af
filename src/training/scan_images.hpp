// The images of a sequence, turned by an angle: as if the radar had been mounted so.
#pragma once

#include <optional>
#include <vector>

#include "fmbym/core/image.hpp"
#include "fmbym/core/thread_team.hpp"
#include "fmbym/datasets/dataset.hpp"
#include "fmbym/odometry/config.hpp"

namespace fmbym::training {

struct ScanImages {
  std::vector<Image> images;    // as the matcher sees them
  std::vector<Image> unmasked;  // without the plain mask; empty where not asked for, or it has none
  std::vector<std::optional<SE2>> T_world;  // by ground truth
  std::vector<double> turn_time;            // of the radar, in each [s]
};

// Images of the standard preset are as from a standing sensor, by the velocity of the ground truth.
ScanImages form_images(const Dataset& dataset, const OdometryConfig& config, double turn, bool unmasked_too,
                       ThreadTeam& team);

// The motion as the turned sensor has it.
SE2 turned(const SE2& motion, double turn);

}  // namespace fmbym::training
