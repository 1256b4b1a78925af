// Every number of a configuration by its name: for `--set NAME=VALUE`, and for what is written beside
// results.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fmbym/odometry/config.hpp"

namespace fmbym {

struct Setting {
  std::string name;  // "map.fade"
  std::variant<bool*, int*, double*, PeakPolicy*, RadialPolicy*> value;
};

// Those that the configuration's method and preset use.
std::vector<Setting> settings_of(OdometryConfig& config);

// "map.fade=0.8"; throws Error naming the settings there are, or the values this one takes.
void apply_setting(OdometryConfig& config, std::string_view assignment);

std::string to_string(PeakPolicy policy);
std::string to_string(RadialPolicy policy);

}  // namespace fmbym
