// Simulated sequences: what they promise to those who read them.
#include "fmbym/datasets/simulator.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "fmbym/core/file.hpp"
#include "fmbym/datasets/oxford_writer.hpp"
#include "fmbym/datasets/scan_statistics.hpp"
#include "support/expect_error.hpp"
#include "support/oxford_writer.hpp"
#include "support/real_data.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym {
namespace {

using testing::error_of;
using testing::expect_message;
using testing::TemporaryFolder;

SimulatorConfig small(std::uint64_t seed = 1) {
  SimulatorConfig config;
  config.seed = seed;
  config.scans = 6;
  config.reduced = true;
  return config;
}

TEST(Simulator, OneSeedGivesTheSameBytes) {
  const Simulator a(small()), b(small());
  for (const std::size_t i : {5u, 0u, 3u}) EXPECT_EQ(a.read(i).power, b.read(i).power);
  EXPECT_EQ(a.read(5).power, b.read(5).power) << "whatever was read before";
}

TEST(Simulator, AnotherSeedAndAnotherStyleAreAnotherTown) {
  const PolarScan one = Simulator(small(1)).read(2);
  EXPECT_NE(one.power, Simulator(small(2)).read(2).power);
  for (const char* style : {"suburban", "highway", "park"}) {
    SimulatorConfig config = small(1);
    config.style = parse_town_style(style);
    EXPECT_EQ(to_string(config.style), style);
    EXPECT_NE(one.power, Simulator(config).read(2).power) << style;
  }
}

TEST(Simulator, ScansHaveTheSizeAskedFor) {
  SimulatorConfig config = small();
  const PolarScan reduced = Simulator(config).read(0);
  EXPECT_EQ(reduced.bins, 432);
  EXPECT_NEAR(reduced.range_resolution, 4 * 0.0438, 1e-12);
  for (const std::uint8_t power : reduced.power) EXPECT_EQ(power % 4, 0);
  config.reduced = false;
  EXPECT_EQ(Simulator(config).read(0).bins, 3768);
  config.range_resolution = 0.1736;
  config.bins = 576;
  config.azimuths = 200;
  const PolarScan other = Simulator(config).read(0);
  EXPECT_EQ(other.bins, 576);
  EXPECT_EQ(other.azimuths(), 200);
}

TEST(Simulator, WhatIsWrittenIsReadAgain) {
  const TemporaryFolder folder;
  SimulatorConfig config = small(4);
  config.range_resolution = 0.05;  // no width that the reader knows: only the sensor file can tell
  config.reduced = false;
  config.bins = 700;
  config.azimuth_offset = -0.02;
  const Simulator simulator(config);
  oxford::SequenceWriter writer(folder / "sequence", simulator.calibration());
  for (std::size_t i = 0; i < simulator.size(); ++i)
    writer.add(simulator.read(i), *simulator.ground_truth()[i]);
  EXPECT_FALSE(std::filesystem::exists(folder / "sequence")) << "it is not whole yet";
  writer.finish("a test");

  const auto written = open_dataset(folder / "sequence");
  ASSERT_EQ(written->size(), simulator.size());
  EXPECT_TRUE(written->remarks().empty());
  EXPECT_EQ(written->calibration().azimuth_offset, -0.02);
  for (std::size_t i = 0; i < simulator.size(); ++i) {
    const PolarScan a = simulator.read(i), b = written->read(i);
    EXPECT_EQ(a.timestamp_us, b.timestamp_us);
    EXPECT_EQ(a.power, b.power);
    EXPECT_EQ(a.azimuth, b.azimuth);
    EXPECT_EQ(a.azimuth_time_us, b.azimuth_time_us);
    EXPECT_EQ(a.range_resolution, b.range_resolution);
    const SE2 p = *simulator.ground_truth()[i], q = *written->ground_truth()[i];
    EXPECT_NEAR(p.x, q.x, 1e-7);  // nine digits a step
    EXPECT_NEAR(p.y, q.y, 1e-7);
    EXPECT_NEAR(p.yaw, q.yaw, 1e-7);
  }
}

TEST(Simulator, AnUnfinishedSequenceLeavesNothing) {
  const TemporaryFolder folder;
  const Simulator simulator(small());
  {
    oxford::SequenceWriter writer(folder / "sequence", simulator.calibration());
    writer.add(simulator.read(0), {});
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

class SimulatedDrive : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::vector<testing::OxfordIncrement>& increments) const {
    const testing::OxfordSequence sequence(folder_ / "real");
    sequence.write_ground_truth(increments);
    return sequence.ground_truth();
  }
  std::string refusal(const std::vector<testing::OxfordIncrement>& increments) const {
    SimulatorConfig config = small();
    config.drive = write(increments);
    return error_of([&] { Simulator simulator(config); });
  }
  static std::int64_t time(int scan) { return 1'000'000'000 + scan * 250'000; }

  TemporaryFolder folder_;
};

TEST_F(SimulatedDrive, TheGroundTruthIsTheDrive) {
  std::vector<testing::OxfordIncrement> increments;
  for (int i = 0; i < 10; ++i) increments.push_back({time(i), time(i + 1), {2 + 0.1 * i, 0.01, 0.02 * i}});
  SimulatorConfig config = small();
  config.drive = write(increments);
  const Simulator simulator(config);
  ASSERT_EQ(simulator.size(), 6u) << "as many as asked for";
  SE2 pose;
  for (std::size_t i = 0; i < simulator.size(); ++i) {
    EXPECT_EQ(simulator.timestamp_us(i), time(static_cast<int>(i)));
    EXPECT_NEAR(simulator.ground_truth()[i]->x, pose.x, 1e-9);
    EXPECT_NEAR(simulator.ground_truth()[i]->y, pose.y, 1e-9);
    EXPECT_NEAR(simulator.ground_truth()[i]->yaw, pose.yaw, 1e-9);
    pose = pose * increments[i].T_earlier_later;
  }
}

TEST_F(SimulatedDrive, JumpsAndHolesAreRefused) {
  const std::filesystem::path csv = write({});
  expect_message(refusal({}), csv, {"found none"});
  expect_message(refusal({{time(0), time(1), {2, 0, 0}}, {time(1), time(2), {40, 0, 0}}}), csv, {"40 m"});
  expect_message(refusal({{time(0), time(1), {2, 0, 0}}, {time(3), time(4), {2, 0, 0}}}), csv, {"after"});
  expect_message(refusal({{time(0), time(20), {2, 0, 0}}}), csv, {"5 s"});
}

TEST(Simulator, ImpossibleOptionsAreRefused) {
  const auto refuse = [](const char* option, const auto& change) {
    SimulatorConfig config = small();
    change(config);
    EXPECT_TRUE(error_of([&] { Simulator simulator(config); }).starts_with(option));
  };
  refuse("--scans 1:", [](auto& c) { c.scans = 1; });
  refuse("--azimuths 4:", [](auto& c) { c.azimuths = 4; });
  refuse("--azimuths 6000:", [](auto& c) { c.azimuths = 6000; });
  refuse("--range-resolution 0:", [](auto& c) { c.range_resolution = 0; });
  refuse("--range-resolution nan:", [](auto& c) { c.range_resolution = std::nan(""); });
  refuse("--noise -1:", [](auto& c) { c.noise = -1; });
  refuse("--moving -3:", [](auto& c) { c.moving = -3; });
  refuse("--bins 3:", [](auto& c) { c.bins = 3; });
  EXPECT_TRUE(error_of([] { parse_town_style("rural"); }).starts_with("--style rural:"));
}

TEST(Simulator, NoiseGrowsWithItsOption) {
  SimulatorConfig config = small();
  const auto mean = [&](double noise) {
    config.noise = noise;
    return scan_statistics(Simulator(config), 1).mean;
  };
  EXPECT_LT(mean(0) + 2, mean(1));
  EXPECT_LT(mean(1) + 5, mean(10));
}

// As docs/simulator.md says; the margins are those of the project's plan.
TEST(Simulator, LooksLikeRealScans) {
  FMBYM_NEEDS_REAL_DATA("oxford-tiny");
  const ScanStatistics real = scan_statistics(*open_dataset(testing::real_data("oxford-tiny")), 12);
  const ScanStatistics simulated = scan_statistics(Simulator(SimulatorConfig{}), 12);
  for (std::size_t i = 0; i < real.quantiles.size(); ++i)
    EXPECT_NEAR(simulated.quantiles[i], real.quantiles[i], std::max(3.0, 0.15 * real.quantiles[i]))
        << ScanStatistics::kQuantiles[i] << " %";
  for (std::size_t lag = 0; lag < ScanStatistics::kLags; ++lag) {
    EXPECT_NEAR(simulated.range_correlation[lag], real.range_correlation[lag], 0.1);
    EXPECT_NEAR(simulated.azimuth_correlation[lag], real.azimuth_correlation[lag], 0.1);
  }
  EXPECT_NEAR(simulated.time_correlation, real.time_correlation, 0.1);
}

}  // namespace
}  // namespace fmbym
