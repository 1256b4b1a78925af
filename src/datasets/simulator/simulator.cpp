#include "fmbym/datasets/simulator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "datasets/sensor_limits.hpp"
#include "datasets/simulator/radar.hpp"
#include "datasets/simulator/route.hpp"
#include "datasets/simulator/spine.hpp"
#include "datasets/simulator/town.hpp"
#include "datasets/simulator/traffic.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/datasets/oxford.hpp"

namespace fmbym {

using oxford::kReducedBins, oxford::kReducedBy;

namespace {

constexpr double kUsualReach = 165.04;  // of the Oxford radar [m]
constexpr double kBeyond = 180;         // the road goes on before and after the drive [m]

constexpr std::pair<const char*, TownStyle> kStyles[] = {{"urban", TownStyle::urban},
                                                         {"suburban", TownStyle::suburban},
                                                         {"highway", TownStyle::highway},
                                                         {"park", TownStyle::park}};

void require(bool holds, const char* option, const std::string& found, const char* expected) {
  if (!holds) throw Error(fmt::format("{} {}: expected {}; correct the option", option, found, expected));
}

// The number of bins made sure of, and cut to what is kept.
SimulatorConfig completed(SimulatorConfig config) {
  config.validate();
  if (config.bins == 0)
    config.bins = std::max(8, static_cast<int>(std::lround(kUsualReach / config.range_resolution)));
  if (config.reduced) config.bins = std::min(config.bins / kReducedBy, kReducedBins) * kReducedBy;
  return config;
}

// As real scans are made small: averages of four neighbours, to the nearest multiple of 4.
void reduce(PolarScan& scan) {
  const std::size_t cells = scan.power.size() / kReducedBy;
  for (std::size_t i = 0; i < cells; ++i) {
    const std::uint8_t* p = scan.power.data() + i * kReducedBy;
    const int sum = p[0] + p[1] + p[2] + p[3];
    scan.power[i] = static_cast<std::uint8_t>(std::min(252, (sum + 8) / 16 * 4));
  }
  scan.power.resize(cells);
  scan.bins /= kReducedBy;
  scan.range_resolution *= kReducedBy;
}

}  // namespace

TownStyle parse_town_style(std::string_view name) {
  for (const auto& [known, style] : kStyles)
    if (name == known) return style;
  throw Error(fmt::format("--style {}: expected urban, suburban, highway or park; choose one of them", name));
}

std::string to_string(TownStyle style) {
  for (const auto& [name, known] : kStyles)
    if (style == known) return name;
  return "";
}

void SimulatorConfig::validate() const {
  require(scans >= 2 && scans <= 100'000, "--scans", fmt::to_string(scans), "from 2 to 100000 scans");
  require(azimuths >= 16 && azimuths <= 5600, "--azimuths", fmt::to_string(azimuths),
          "from 16 to 5600 azimuths a turn");
  require(range_resolution >= 0.01 && range_resolution <= 2, "--range-resolution",
          fmt::to_string(range_resolution), "from 0.01 to 2 metres a bin");
  require(bins == 0 || (bins >= 16 && bins <= 20000), "--bins", fmt::to_string(bins),
          "from 16 to 20000 range bins");
  require(noise >= 0 && noise <= 1000, "--noise", fmt::to_string(noise), "from 0 to 1000 times the usual");
  require(moving.value_or(0) >= 0 && moving.value_or(0) <= 500, "--moving",
          fmt::to_string(moving.value_or(0)), "from 0 to 500 cars");
  require(kAzimuthOffsetLimit.holds(azimuth_offset), "--azimuth-offset", fmt::to_string(azimuth_offset),
          kAzimuthOffsetLimit.expected);
}

struct Simulator::Parts {
  explicit Parts(const SimulatorConfig& given)
      : config(completed(given)),
        drive(config.drive.empty() ? simulator::make_drive(config)
                                   : simulator::read_drive(config.drive, config.scans)),
        spine(drive, kBeyond),
        town(simulator::build_town(spine, config)),
        traffic(spine, config),
        radar(config),
        truth(drive.poses.begin(), drive.poses.end()) {
    const int by = config.reduced ? kReducedBy : 1;
    calibration = {config.range_resolution * by, 0, config.azimuth_offset, config.bins / by};
  }

  SimulatorConfig config;
  simulator::Drive drive;
  simulator::Spine spine;
  simulator::Town town;
  simulator::Traffic traffic;
  simulator::Radar radar;
  std::vector<std::optional<SE2>> truth;
  std::vector<std::string> remarks;
  SensorCalibration calibration;
};

Simulator::Simulator(const SimulatorConfig& config) : parts_(std::make_unique<Parts>(config)) {}
Simulator::~Simulator() = default;

std::size_t Simulator::size() const {
  return parts_->drive.timestamps.size();
}
std::int64_t Simulator::timestamp_us(std::size_t index) const {
  return parts_->drive.timestamps.at(index);
}
std::filesystem::path Simulator::file(std::size_t index) const {
  return fmt::format("simulated/{}.png", timestamp_us(index));
}
const SensorCalibration& Simulator::calibration() const {
  return parts_->calibration;
}
const std::vector<std::optional<SE2>>& Simulator::ground_truth() const {
  return parts_->truth;
}
const std::vector<std::string>& Simulator::remarks() const {
  return parts_->remarks;
}

PolarScan Simulator::read(std::size_t index) const {
  const simulator::Drive& drive = parts_->drive;
  const simulator::Turn turn{drive.timestamps.at(index), drive.start(index), drive.turn_times[index]};
  const double middle = turn.start + turn.duration / 2;
  const SE2 pose = drive.route.at(middle);
  simulator::Surroundings surroundings = parts_->town.around({pose.x, pose.y}, parts_->radar.reach());
  parts_->traffic.add_to(surroundings, middle);
  PolarScan scan = parts_->radar.measure(turn, drive.route, surroundings, index);
  if (parts_->config.reduced) reduce(scan);
  return scan;
}

}  // namespace fmbym
