#include "fmbym/calibration/line_fit.hpp"

#include <algorithm>
#include <cmath>

namespace fmbym {
namespace {

constexpr double kClear = 4;  // standard errors

// The least-squares line through the values, or through their standard errors.
struct Line {
  double mean_at = 0, mean = 0, slope = 0;
  double operator()(double setting) const { return mean + slope * (setting - mean_at); }
};

Line line_through(const std::vector<Measured>& measured, double Estimate::*part) {
  const auto n = static_cast<double>(measured.size());
  Line line;
  for (const Measured& m : measured) {
    line.mean_at += m.at / n;
    line.mean += m.value.*part / n;
  }
  double together = 0, spread = 0;
  for (const Measured& m : measured) {
    together += (m.at - line.mean_at) * (m.value.*part - line.mean);
    spread += (m.at - line.mean_at) * (m.at - line.mean_at);
  }
  line.slope = together / spread;
  return line;
}

}  // namespace

Estimate line_at(const std::vector<Measured>& measured, double setting) {
  const double error = line_through(measured, &Estimate::standard_error)(setting);
  return {line_through(measured, &Estimate::value)(setting), std::max(error, 0.0)};
}

std::optional<Estimate> setting_where(const std::vector<Measured>& measured, double level) {
  const auto at = [](const Measured& a, const Measured& b) { return a.at < b.at; };
  const auto [lowest, highest] = std::minmax_element(measured.begin(), measured.end(), at);
  const Line line = line_through(measured, &Estimate::value);
  const double setting = line.mean_at + (level - line.mean) / line.slope;
  if (!(setting >= lowest->at && setting <= highest->at)) return std::nullopt;
  const double error = line_at(measured, setting).standard_error;
  if (std::abs(line.slope) * (highest->at - lowest->at) < kClear * error) return std::nullopt;
  return Estimate{setting, error / std::abs(line.slope)};
}

}  // namespace fmbym
