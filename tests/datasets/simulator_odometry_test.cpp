// Odometry on simulated drives: ground truth and scans tell the same story, in every style.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fmbym/datasets/simulator.hpp"
#include "fmbym/odometry/odometry.hpp"

namespace fmbym {
namespace {

// 60 scans are some 100 m; over a kilometre the drift is below 0.2 % and 0.7 °/km (docs/simulator.md). A
// wrong instant of the poses or a wrong sign would be per cents and tens of degrees.
TEST(SimulatedOdometry, EndsWhereTheDriveEnds) {
  for (const char* style : {"urban", "suburban", "highway", "park"}) {
    SCOPED_TRACE(style);
    SimulatorConfig config;
    config.style = parse_town_style(style);
    config.scans = 60;
    config.reduced = true;
    const Simulator simulator(config);
    Odometry odometry(make_config(Method::f_raw, Preset::standard, 255));
    SE2 end;
    double driven = 0;
    for (std::size_t i = 0; i < simulator.size(); ++i) {
      end = odometry.register_scan(simulator.read(i)).T_world_curr;
      if (i == 0) continue;
      const SE2 step = simulator.ground_truth()[i - 1]->inverse() * *simulator.ground_truth()[i];
      driven += std::hypot(step.x, step.y);
    }
    const SE2 error = simulator.ground_truth().back()->inverse() * end;
    EXPECT_GT(driven, 30);
    EXPECT_LT(std::hypot(error.x, error.y), 0.15 + 0.005 * driven);  // a third of a pixel, and 0.5 %
    EXPECT_LT(std::abs(error.yaw) * 180 / std::numbers::pi, 0.3 + 0.002 * driven);
  }
}

}  // namespace
}  // namespace fmbym
