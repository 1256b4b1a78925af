// Towns of four kinds along a road; sizes, densities and brightness differ with the seed.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "datasets/simulator/builder.hpp"
#include "datasets/simulator/random.hpp"
#include "datasets/simulator/spine.hpp"
#include "datasets/simulator/town.hpp"
#include "datasets/simulator/traffic.hpp"

namespace fmbym::simulator {
namespace {

struct Between {
  double low, high;
};

// Lengths in metres; rates are how many to 100 m of one side of the road.
struct Streetscape {
  double houses = 0;           // share of the lots that have one
  Between lot, offset, depth;  // of houses
  double gaps = 0;             // share of the lots that are followed by one
  Between gap;
  double side_streets = 0, parked = 0, poles = 0, trees = 0, litter = 0, skyline = 0, thickets = 0;  // rates
  Between trees_at;                                                                                  // offset
  double fences = 0, hedges = 0, rails = 0;  // share of the length
  double bare = 0;                           // share of the stretches that show little
};

Streetscape streetscape_of(TownStyle style) {
  switch (style) {
    case TownStyle::urban:
      return {.houses = 0.92,
              .lot = {8, 30},
              .offset = {8.5, 13},
              .depth = {8, 16},
              .gaps = 0.25,
              .gap = {2, 7},
              .side_streets = 0.9,
              .parked = 7,
              .poles = 3,
              .trees = 1.5,
              .litter = 12,
              .skyline = 12,
              .thickets = 2,
              .trees_at = {6, 9},
              .fences = 0.05,
              .hedges = 0.04,
              .bare = 0.08};
    case TownStyle::suburban:
      return {.houses = 0.8,
              .lot = {9, 18},
              .offset = {11, 19},
              .depth = {8, 13},
              .gaps = 0.85,
              .gap = {3, 9},
              .side_streets = 0.8,
              .parked = 4,
              .poles = 2.5,
              .trees = 5,
              .litter = 16,
              .skyline = 5,
              .thickets = 2,
              .trees_at = {6, 24},
              .fences = 0.25,
              .hedges = 0.25,
              .bare = 0.1};
    case TownStyle::highway:
      return {.houses = 0.06,
              .lot = {15, 60},
              .offset = {22, 45},
              .depth = {10, 30},
              .gaps = 0.9,
              .gap = {10, 60},
              .side_streets = 0.1,
              .poles = 1.8,
              .trees = 6,
              .litter = 16,
              .skyline = 3,
              .thickets = 2,
              .trees_at = {14, 45},
              .fences = 0.12,
              .hedges = 0.05,
              .rails = 0.6,
              .bare = 0.12};
    case TownStyle::park:
      return {.houses = 0.08,
              .lot = {8, 20},
              .offset = {18, 45},
              .depth = {8, 14},
              .gaps = 0.9,
              .gap = {5, 40},
              .side_streets = 0.2,
              .parked = 0.6,
              .poles = 2,
              .trees = 14,
              .litter = 30,
              .skyline = 3,
              .thickets = 2,
              .trees_at = {5, 40},
              .fences = 0.25,
              .hedges = 0.25,
              .bare = 0.12};
  }
  return {};
}

class TownMaker {
 public:
  TownMaker(Town& town, const Spine& spine, const SimulatorConfig& config)
      : spine_(spine),
        random_(mix(config.seed, 't')),
        build_(town, spine_, random_, random_.normal(10, 3)),
        scape_(streetscape_of(config.style)) {
    for (double* rate : {&scape_.side_streets, &scape_.parked, &scape_.poles, &scape_.trees, &scape_.litter,
                         &scape_.skyline, &scape_.thickets})
      *rate *= random_.uniform(0.65, 1.5);
    const double wider = random_.uniform(0.85, 1.25);
    scape_.offset = {scape_.offset.low * wider, scape_.offset.high * wider};
    masonry_ = random_.normal(108, 3);
    oncoming_side_ = oncoming_side(config.seed);
  }

  void build() {
    mark_bare_stretches();
    for (const double side : {-1.0, 1.0}) {
      lots(side);
      lines(side);
      each(scape_.parked, [&](double s) { park(s, side); });
      each(scape_.poles,
           [&](double s) { build_.pole(beside(s, side, random_.uniform(5, 8)), random_.normal(95, 7)); });
      each(scape_.trees,
           [&](double s) { build_.tree(beside(s, side, pick(scape_.trees_at)), random_.uniform(0.8, 3)); });
      each(scape_.skyline, [&](double s) { skyline(s, side); });
      each(scape_.thickets, [&](double s) {
        const SE2 place = spine_.at(s) * SE2{0, side * random_.uniform(14, 80), random_.normal(0, 0.5)};
        build_.thicket(place, random_.uniform(5, 30), random_.uniform(2, 8));
      });
      each(scape_.litter, [&](double s) {
        const double offset = 4.5 + 35 * random_.uniform() * random_.uniform();
        build_.litter(beside(s, side, offset), random_.normal(72, 11));
      });
    }
  }

 private:
  // The road is wider on the side where the others drive.
  Vec2 beside(double s, double side, double offset) const {
    return spine_.beside(s, side * (offset + (side == oncoming_side_ ? kLane : 0)));
  }
  double pick(const Between& b) { return random_.uniform(b.low, b.high); }

  void mark_bare_stretches() {
    for (double s = 0; s < spine_.length();) {
      const bool bare = random_.chance(scape_.bare);
      for (const double end = s + random_.uniform(50, bare ? 120 : 250); s < end; s += 1)
        bare_.push_back(bare);
    }
  }
  bool is_bare(double s) const {
    return bare_[std::min(static_cast<std::size_t>(std::max(0.0, s)), bare_.size() - 1)];
  }
  bool wanted(double s) { return spine_.is_new(s) && !(is_bare(s) && random_.chance(0.85)); }

  // Calls `put` at random places, so many to 100 m.
  template <class Put>
  void each(double rate, const Put& put) {
    if (rate <= 0) return;
    const double apart = 100 / rate;
    for (double s = random_.uniform(0, apart); s < spine_.length(); s += apart * random_.uniform(0.5, 1.5))
      if (wanted(s)) put(s);
  }

  // Houses in a row, with gaps and side streets.
  void lots(double side) {
    double next_street = random_.uniform(20, 120);
    const double lane = side == oncoming_side_ ? kLane : 0;
    double setback = lane + pick(scape_.offset);
    for (double s = 0; s < spine_.length();) {
      if (scape_.side_streets > 0 && s > next_street) {
        const double width = random_.uniform(8, 15);
        if (wanted(s)) side_street(s, width, side, setback);
        s += width;
        next_street = s + 100 / scape_.side_streets * random_.uniform(0.5, 1.5);
        setback = lane + pick(scape_.offset);
        continue;
      }
      const double width = pick(scape_.lot);
      if (random_.chance(0.3)) setback = lane + pick(scape_.offset);
      if (wanted(s) && random_.chance(scape_.houses))
        build_.house(s, width, side * (setback + random_.uniform(0, 1)), pick(scape_.depth),
                     masonry_ + random_.normal(0, 5));
      s += width;
      if (random_.chance(scape_.gaps)) s += pick(scape_.gap);
    }
  }

  // Two facades that face each other, away from the road.
  void side_street(double s, double width, double side, double setback) {
    const double lean = random_.normal(0, 0.1), length = random_.uniform(30, 90);
    const SE2 corner = spine_.at(s);
    const auto at = [&](double along, double out) { return corner * Vec2{along + lean * out, side * out}; };
    const Vec2 middle = at(width / 2, setback + length / 2);
    if (random_.chance(scape_.houses))
      for (const double edge : {0.0, width})
        for (double out = setback; out < setback + length; out += 16)
          if (random_.chance(0.85))
            build_.wall(at(edge, out), at(edge, out + random_.uniform(9, 16)), middle,
                        masonry_ + random_.normal(0, 5), random_.uniform(2, 5), random_.uniform(20, 44));
    if (random_.chance(0.5))
      build_.wall(at(-4, setback + length), at(width + 4, setback + length), middle, masonry_, 3, 45);
    for (double out = setback; out < setback + length; out += 7)
      if (random_.chance(scape_.parked * 0.05)) {
        const Vec2 place = at(1.6, out);
        build_.car({place.x, place.y, corner.yaw + std::numbers::pi / 2});
      }
  }

  // What stands higher than the first row, or shows between: walls and roofs farther away.
  void skyline(double s, double side) {
    const double offset = random_.uniform(15, 90), width = random_.uniform(4, 25);
    const SE2 place =
        spine_.at(s) * SE2{0, side * offset, random_.normal(0, 0.3) + (random_.chance(0.3) ? 1.57 : 0)};
    const double counts = masonry_ + random_.normal(6, 8), bay = random_.uniform(1.5, 4);
    for (double x = 0; x < width; x += bay * random_.uniform(0.3, 1))
      build_.landmark(place * Vec2{x, random_.normal(0, 0.3)}, counts + random_.normal(0, 9));
  }

  void park(double s, double side) {
    const Vec2 place = beside(s, side, random_.uniform(4.6, 5.6));
    build_.car({place.x, place.y, spine_.at(s).yaw + random_.normal(0, 0.04)});
  }

  // Fences, hedges and rails, in pieces that follow the road.
  void lines(double side) {
    for (double s = 0; s < spine_.length();) {
      const double length = random_.uniform(15, 60), kind = random_.uniform();
      const double offset = random_.uniform(6.2, 9);
      const double apart = random_.uniform(1.8, 4), post = random_.normal(84, 5);
      const bool here = wanted(s);
      for (const double end = s + length; s < end; s += 6) {
        if (!here || !spine_.is_new(s)) continue;
        const Vec2 a = beside(s, side, offset), b = beside(s + 6, side, offset);
        if (kind < scape_.fences)
          build_.fence(a, b, post, post - 16, apart);
        else if (kind < scape_.fences + scape_.hedges)
          build_.hedge(a, b);
        else if (kind < scape_.fences + scape_.hedges + scape_.rails)
          build_.fence(a, b, post + 4, post - 4, apart);
      }
    }
  }

  const Spine& spine_;
  Random random_;
  Builder build_;
  Streetscape scape_;
  std::vector<bool> bare_;  // a metre
  double masonry_ = 0;      // of facades [counts]
  double oncoming_side_ = 1;
};

}  // namespace

Town build_town(const Spine& spine, const SimulatorConfig& config) {
  Town town;
  TownMaker(town, spine, config).build();
  return town;
}

}  // namespace fmbym::simulator
