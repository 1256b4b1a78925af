#include "fmbym/imaging/plain_mask.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "fmbym/core/error.hpp"

namespace fmbym {
namespace {

constexpr int kSampled = 4;  // every fourth cell of every fourth azimuth tells how bright a scan is

// Comparisons are so written that what is not a number loses them.
float larger(float a, float b) {
  return b > a ? b : a;
}

void drop_below(float bound, float* begin, const float* end) {
  for (; begin != end; ++begin) *begin = *begin >= bound ? *begin : 0;
}

int first_cell_from(double range, const RangeProfile& profile) {
  int cell = 0;
  while (cell < profile.cells && cell * profile.metres_per_cell < range) ++cell;
  return cell;
}

}  // namespace

void PlainMaskConfig::validate() const {
  if (!(min_range >= 0 && std::isfinite(min_range)))
    throw Error(fmt::format("mask: a nearest range of {} m: 0 or more is needed", min_range));
  if (!(returns >= 0 && returns < 1))
    throw Error(fmt::format("mask: {} of the cells as returns: from 0 to less than 1 is needed", returns));
  if (!(threshold >= 0 && threshold <= 1))
    throw Error(
        fmt::format("mask: a threshold of {}: a part of full scale from 0 to 1 is needed", threshold));
  if (returns > 0 && threshold == 0)
    throw Error(fmt::format("mask: {} of the cells are to reach a threshold of 0: set one of the two numbers",
                            returns));
  if (!(ceiling > 0 && ceiling >= threshold))
    throw Error(
        fmt::format("mask: a ceiling of {}: more than 0 and no less than the threshold, {}, is needed",
                    ceiling, threshold));
  if (strongest < 0) throw Error(fmt::format("mask: {} strongest cells: 0 or more are needed", strongest));
  if (neighbours < 0 || neighbours > 100)
    throw Error(fmt::format("mask: {} neighbouring azimuths: from 0 to 100 are needed", neighbours));
  if (!(margin >= 0)) throw Error(fmt::format("mask: a margin of {}: 0 or more is needed", margin));
}

PlainMask::PlainMask(const PlainMaskConfig& config) : config_(config) {
  config.validate();
}

void PlainMask::apply(RangeProfile& profile) {
  if (profile.azimuths == 0) return;
  const int first_cell = first_cell_from(config_.min_range, profile);
  if (config_.returns > 0) brighten(profile, first_cell);
  if (config_.neighbours > 0) unmasked_ = profile.power;
  around_.resize(static_cast<std::size_t>(profile.cells));
  left_.resize(static_cast<std::size_t>(profile.cells));
  for (int a = 0; a < profile.azimuths; ++a) {
    float* row = profile.row(a);
    if (config_.neighbours > 0) keep_local_maxima(row, a, profile);
    std::fill_n(row, first_cell, 0.0f);
    keep_strong(row + first_cell, profile.cells - first_cell);
  }
  for (const int copy : {profile.azimuths, profile.azimuths + 1})
    std::copy_n(profile.row(0), profile.cells, profile.row(copy));
}

// A scan with fewer returns than that, most of it black, stays as it is.
void PlainMask::brighten(RangeProfile& profile, int first_cell) {
  sample_.clear();
  for (int a = 0; a < profile.azimuths; a += kSampled)
    for (int i = first_cell; i < profile.cells; i += kSampled)
      sample_.push_back(larger(0, profile.row(a)[i]));
  if (sample_.empty()) return;
  const auto returns = static_cast<std::ptrdiff_t>(config_.returns * static_cast<double>(sample_.size()));
  const auto weakest = sample_.begin() + returns;
  std::nth_element(sample_.begin(), weakest, sample_.end(), std::greater<>());
  if (*weakest == 0) return;
  const float gain = static_cast<float>(config_.threshold) / *weakest;
  for (float& power : profile.power) power *= gain;
}

// An azimuth that comes round to itself does no harm: no cell is weaker than itself.
void PlainMask::keep_local_maxima(float* row, int azimuth, const RangeProfile& profile) {
  const int azimuths = profile.azimuths, cells = profile.cells;
  const auto unmasked = [&](int a) {
    return unmasked_.data() + static_cast<std::ptrdiff_t>((a % azimuths + azimuths) % azimuths) * cells;
  };
  float* around = around_.data();
  std::fill_n(around, cells, 0.0f);
  for (int apart = 1; apart <= config_.neighbours; ++apart) {
    const float *before = unmasked(azimuth - apart), *after = unmasked(azimuth + apart);
    for (int i = 0; i < cells; ++i) around[i] = larger(larger(around[i], before[i]), after[i]);
  }
  const float margin = static_cast<float>(config_.margin);
  for (int i = 0; i < cells; ++i) row[i] = row[i] >= around[i] - margin ? row[i] : 0;
}

void PlainMask::keep_strong(float* row, int cells) {
  drop_below(static_cast<float>(config_.threshold), row, row + cells);
  if (config_.strongest > 0) keep_strongest(row, cells);
  const float ceiling = static_cast<float>(config_.ceiling);
  for (int i = 0; i < cells; ++i) row[i] = row[i] > ceiling ? ceiling : row[i];
}

void PlainMask::keep_strongest(float* row, int cells) {
  if (std::count_if(row, row + cells, [](float power) { return power > 0; }) <= config_.strongest) return;
  float* end = left_.data();
  for (int i = 0; i < cells; ++i) {  // without a branch that nobody could predict
    *end = row[i];
    end += row[i] > 0;
  }
  float* weakest = left_.data() + config_.strongest;
  std::nth_element(left_.data(), weakest, end, std::greater<>());
  drop_below(*weakest, row, row + cells);
}

}  // namespace fmbym
