// The motion of a real drive, from its ground truth.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "datasets/oxford_ground_truth.hpp"
#include "datasets/simulator/route.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"

namespace fmbym::simulator {
namespace {

// What a road vehicle does at most between two scans.
constexpr double kFastest = 70;       // [m/s]
constexpr double kFastestYaw = 3;     // [rad/s]
constexpr double kLongestTurn = 1.0;  // [s]; more is a hole in the file

using oxford::Increment;

[[noreturn]] void fail(const std::filesystem::path& csv, const std::string& found) {
  throw Error(
      fmt::format("{}: expected the increments of one drive without jumps, found {}; "
                  "give the gt/radar_odometry.csv of a whole drive, or the part before that",
                  csv.string(), found));
}

void require_drivable(const std::vector<Increment>& increments, const std::filesystem::path& csv) {
  if (increments.empty()) fail(csv, "none");
  for (std::size_t i = 0; i < increments.size(); ++i) {
    const auto& [earlier, later, T] = increments[i];
    const double seconds = static_cast<double>(later - earlier) * 1e-6;
    if (i > 0 && earlier != increments[i - 1].later)
      fail(csv, fmt::format("{} after {}", earlier, increments[i - 1].later));
    if (seconds > kLongestTurn || seconds < 0.01)
      fail(csv, fmt::format("{:.3g} s from {} to {}", seconds, earlier, later));
    if (std::hypot(T.x, T.y) > kFastest * seconds || std::abs(T.yaw) > kFastestYaw * seconds)
      fail(csv, fmt::format("{:.3g} m and {:.3g} rad within {:.3g} s at {}", std::hypot(T.x, T.y), T.yaw,
                            seconds, later));
  }
}

}  // namespace

Drive read_drive(const std::filesystem::path& csv, int scans) {
  auto increments = oxford::parse_increments(read_file(csv), csv);
  if (std::ssize(increments) > scans - 1) increments.resize(static_cast<std::size_t>(scans - 1));
  require_drivable(increments, csv);

  std::vector<std::int64_t> timestamps = {increments.front().earlier};
  std::vector<SE2> poses = {{}};
  for (const Increment& increment : increments) {
    timestamps.push_back(increment.later);
    poses.push_back(poses.back() * increment.T_earlier_later);
  }
  std::vector<double> turns, middles;  // [s]
  for (std::size_t i = 0; i < timestamps.size(); ++i) {
    const std::size_t next = std::min(i + 1, timestamps.size() - 1);
    turns.push_back(static_cast<double>(timestamps[next] - timestamps[next - 1]) * 1e-6);
  }
  std::vector<double> sorted = turns;
  std::nth_element(sorted.begin(), sorted.begin() + std::ssize(sorted) / 2, sorted.end());
  const double usual = sorted[sorted.size() / 2];
  for (std::size_t i = 0; i < timestamps.size(); ++i) {
    turns[i] = std::clamp(turns[i], 0.9 * usual, 1.1 * usual);  // longer: a scan is missing
    middles.push_back(static_cast<double>(timestamps[i] - timestamps[0]) * 1e-6 + turns[i] / 2);
  }
  return {Route(std::move(middles), poses), std::move(timestamps), std::move(turns), poses};
}

}  // namespace fmbym::simulator
