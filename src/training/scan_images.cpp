#include "training/scan_images.hpp"

#include <exception>

namespace fmbym::training {
namespace {

// From the scan before, or to the next one where there is none.
Twist2 velocity_at(const Dataset& dataset, const std::vector<std::optional<SE2>>& T_world, std::size_t i) {
  const std::size_t from = i > 0 && T_world[i - 1] ? i - 1 : i;
  const std::size_t to = from == i && i + 1 < T_world.size() ? i + 1 : i;
  if (from == to || !T_world[from] || !T_world[to]) return {};
  const double seconds = double(dataset.timestamp_us(to) - dataset.timestamp_us(from)) * 1e-6;
  return mean_velocity(T_world[from]->inverse() * *T_world[to], seconds);
}

// A thread's own tools.
class ScanImager {
 public:
  explicit ScanImager(const OdometryConfig& config)
      : config_(config), imager_(config.imaging), mask_(config.plain_mask) {}

  Image form(const PolarScan& scan, const Twist2& velocity, bool masked) {
    if (config_.preset == Preset::paper) return imager_.form(scan);
    imager_.load(scan);
    if (masked && config_.mask) mask_.apply(imager_.profile());
    return imager_.form(config_.compensate ? velocity : Twist2{});
  }

  double turn_time() const { return imager_.turn_time(); }

 private:
  const OdometryConfig& config_;
  CartesianImager imager_;
  PlainMask mask_;
};

std::vector<std::optional<SE2>> turned_all(std::vector<std::optional<SE2>> T_world, double turn) {
  for (auto& pose : T_world)
    if (pose) pose = turned(*pose, turn);
  return T_world;
}

}  // namespace

SE2 turned(const SE2& motion, double turn) {
  const Vec2 way = rotate(turn, {motion.x, motion.y});
  return {way.x, way.y, motion.yaw};
}

ScanImages form_images(const Dataset& dataset, const OdometryConfig& config, double turn, bool unmasked_too,
                       ThreadTeam& team) {
  const std::size_t count = dataset.size();
  const bool both = unmasked_too && config.preset == Preset::standard && config.mask;
  ScanImages formed{std::vector<Image>(count), std::vector<Image>(both ? count : 0),
                    turned_all(dataset.ground_truth(), turn), std::vector<double>(count)};
  std::vector<std::exception_ptr> failures(std::size_t(team.members()));
  auto work = [&](int member) {
    try {
      ScanImager imager(config);
      for (auto i = std::size_t(member); i < count; i += std::size_t(team.members())) {
        PolarScan scan = dataset.read(i);
        for (double& azimuth : scan.azimuth) azimuth += turn;
        const Twist2 velocity = velocity_at(dataset, formed.T_world, i);
        formed.images[i] = imager.form(scan, velocity, true);
        formed.turn_time[i] = imager.turn_time();
        if (both) formed.unmasked[i] = imager.form(scan, velocity, false);
      }
    } catch (...) {
      failures[std::size_t(member)] = std::current_exception();
    }
  };
  team.run(work);
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
  return formed;
}

}  // namespace fmbym::training
