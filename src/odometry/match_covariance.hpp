// How far a refined match may be off.
#pragma once

#include "fmbym/core/se2.hpp"
#include "fmbym/matching/refinement.hpp"

namespace fmbym {

// In the frame of the reference that was matched: what the shape of the peak tells.
Covariance3 match_covariance(const Refined& refined);

// In a frame that sees the reference turned by yaw, and with what a motion of this length [m] adds: time
// stamps and velocities are only so exact.
Covariance3 motion_covariance(const Covariance3& match, double yaw, double distance);

}  // namespace fmbym
