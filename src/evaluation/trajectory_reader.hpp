// What the readers of the formats share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evaluation/text_line.hpp"
#include "fmbym/evaluation/trajectory.hpp"

namespace fmbym {

// The trajectory of a file in memory; `name` stands for it in messages.
TrajectoryFile parse_trajectory(std::string_view contents, const std::string& name);

// One reader a format. The lines begin with the first one that has content, and there is at least one.
Trajectory read_tum(const std::vector<TextLine>& lines);
Trajectory read_kitti(const std::vector<TextLine>& lines);
Trajectory read_oxford_csv(const std::vector<TextLine>& lines);

// Adds a pose that the line gives. Throws Error if its time is not later than the last one, or if it is
// farther away than any vehicle.
void append(Trajectory& trajectory, const TextLine& line, std::int64_t time_ns,
            const Eigen::Isometry3d& pose);

}  // namespace fmbym
