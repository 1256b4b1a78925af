#include "report/translation_surface.hpp"

#include <algorithm>
#include <cmath>

#include "report/panels.hpp"

namespace fmbym::report {
namespace {

constexpr double kZoom = 15;        // the middle of the surface that is shown, to either side [m]
constexpr double kAroundShift = 3;  // and never less than this around the shift [m]

}  // namespace

bool has_surface(const MatchEvidence& evidence) {
  const auto side = static_cast<std::size_t>(std::max(0, evidence.side));
  return side % 2 == 1 && evidence.metres_per_cell > 0 && evidence.translation.size() == side * side &&
         tells_apart(evidence.translation);
}

TranslationSurface middle_of(const MatchEvidence& evidence) {
  const double far = std::max(std::abs(evidence.shift.x), std::abs(evidence.shift.y)) + kAroundShift;
  const int middle = evidence.side / 2;
  const double cells = std::round(std::max(kZoom, far) / evidence.metres_per_cell);
  TranslationSurface surface{cells < middle ? static_cast<int>(cells) : middle, {}, 0, 0};
  for (int row = middle - surface.reach; row <= middle + surface.reach; ++row) {
    const auto first =
        evidence.translation.begin() + std::ptrdiff_t(row) * evidence.side + middle - surface.reach;
    surface.scores.insert(surface.scores.end(), first, first + surface.side());
  }
  const auto [low, high] = std::minmax_element(surface.scores.begin(), surface.scores.end());
  surface.low = *low;
  surface.high = *low < *high ? *high : *low + 1;
  return surface;
}

}  // namespace fmbym::report
