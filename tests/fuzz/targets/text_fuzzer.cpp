// Text as a trajectory, as Oxford's ground truth, and as a sensor file.
#include <cmath>

#include "datasets/oxford_ground_truth.hpp"
#include "evaluation/trajectory_reader.hpp"
#include "fmbym/datasets/sensor_file.hpp"
#include "fuzz.hpp"

using namespace fmbym;

namespace {

void read_as_trajectory(std::string_view text) {
  const TrajectoryFile file = parse_trajectory(text, "input");
  for (std::size_t i = 1; i < file.trajectory.time_ns.size(); ++i)
    fuzz::require(file.trajectory.time_ns[i - 1] < file.trajectory.time_ns[i], "times go on");
  for (const auto& pose : file.trajectory.T_world)
    fuzz::require(pose.matrix().allFinite(), "poses are finite");
}

void read_as_ground_truth(std::string_view text) {
  const std::vector<oxford::ScanFile> scans = {{1, "1.png"}, {2, "2.png"}, {3, "3.png"}};
  for (const auto& pose : oxford::parse_ground_truth(text, "input", scans).poses)
    fuzz::require(!pose || (std::isfinite(pose->x) && std::isfinite(pose->y) && std::isfinite(pose->yaw)),
                  "poses are finite");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  fuzz::expect_value_or_error([&] { read_as_trajectory(text); });
  fuzz::expect_value_or_error([&] { read_as_ground_truth(text); });
  fuzz::expect_value_or_error([&] { parse_sensor_file(text, "input"); });
  return 0;
}
