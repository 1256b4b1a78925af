#include "datasets/simulator/town.hpp"

#include <cmath>

namespace fmbym::simulator {
namespace {

constexpr double kCell = 20;  // [m]
std::int64_t cell(double metres) {
  return static_cast<std::int64_t>(std::floor(metres / kCell));
}

}  // namespace

std::int64_t Town::key(double x, double y) {
  return cell(x) * 0x100000000 + cell(y);
}

void Town::add(Scatterer scatterer) {
  scatterer.id = count_++;
  cells_[key(scatterer.x, scatterer.y)].scatterers.push_back(scatterer);
}

void Town::add(const Shadow& shadow) {
  cells_[key((shadow.from.x + shadow.to.x) / 2, (shadow.from.y + shadow.to.y) / 2)].shadows.push_back(shadow);
}

Surroundings Town::around(const Vec2& place, double reach) const {
  Surroundings found;
  const double r = reach + kCell;
  for (double x = place.x - r; x < place.x + r + kCell; x += kCell)
    for (double y = place.y - r; y < place.y + r + kCell; y += kCell) {
      const auto at = cells_.find(key(x, y));
      if (at == cells_.end()) continue;
      const Cell& c = at->second;
      found.scatterers.insert(found.scatterers.end(), c.scatterers.begin(), c.scatterers.end());
      found.shadows.insert(found.shadows.end(), c.shadows.begin(), c.shadows.end());
    }
  return found;
}

}  // namespace fmbym::simulator
