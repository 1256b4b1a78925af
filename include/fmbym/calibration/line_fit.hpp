// A straight line through something measured at several settings.
#pragma once

#include <optional>
#include <vector>

#include "fmbym/calibration/estimate.hpp"

namespace fmbym {

struct Measured {
  double at = 0;  // the setting
  Estimate value;
};

// The line's value at a setting. Two measurements at least, at different settings. The measurements are taken
// to share their errors, as they do when one drive made them all: the error does not shrink with their
// number.
Estimate line_at(const std::vector<Measured>& measured, double setting);

// The setting at which the line reaches `level`. Nothing where that is not between the smallest and the
// largest setting, or the line rises or falls between them by less than four standard errors.
std::optional<Estimate> setting_where(const std::vector<Measured>& measured, double level);

}  // namespace fmbym
