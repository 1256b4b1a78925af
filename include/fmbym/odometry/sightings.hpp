// A radar that turns clockwise on a vehicle that turns clockwise too passes a landmark again before its own
// turn is over, and on one that turns the other way later. Two scans as they were measured show the motion
// between these sightings, not that of a turn: of a rotation of 10° a turn 9.7°, of -10° -10.3°. Both motions
// are held to be at constant velocity.
#pragma once

#include <cstdint>

#include "fmbym/core/se2.hpp"

namespace fmbym {

// Of a radar that takes this time for a turn [s], from one scan to another. Not less than one, however the
// scans are stamped; negative if the second was taken first.
double turns_between(std::int64_t first_us, std::int64_t second_us, double turn_time);

// What two scans show of the motion from one to the other.
SE2 between_sightings(const SE2& between_scans, double turns);

// The inverse.
SE2 between_scans(const SE2& between_sightings, double turns);

}  // namespace fmbym
