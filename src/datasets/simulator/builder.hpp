// Puts things of a town beside the road: walls, trees, poles, cars, fences.
#pragma once

#include "datasets/simulator/random.hpp"
#include "datasets/simulator/spine.hpp"
#include "datasets/simulator/town.hpp"

namespace fmbym::simulator {

class Builder {
 public:
  Builder(Town& town, const Spine& spine, Random& random, double brightness)
      : town_(town), spine_(spine), random_(random), brightness_(brightness) {}

  // Nothing is put nearer to the middle of the road than this [m].
  static constexpr double kKerb = 3.2;

  // A facade between two corners, seen from the side where `front` is, with windows and doors `bay` apart.
  void wall(const Vec2& from, const Vec2& to, const Vec2& front, double counts, double bay, double loss);
  // A house on the chord of the road between two places, `back` metres deep.
  void house(double along, double width, double offset, double depth, double counts);
  void tree(const Vec2& place, double radius);
  void pole(const Vec2& place, double counts);
  void car(const SE2& place);
  // Posts `apart` with something thin between them.
  void fence(const Vec2& from, const Vec2& to, double post, double between, double apart);
  void hedge(const Vec2& from, const Vec2& to);
  void thicket(const SE2& place, double length, double depth);
  void landmark(const Vec2& place, double counts);  // seen over what stands before it
  void litter(const Vec2& place, double counts);    // anything small

 private:
  struct Face {
    Vec2 normal;
    double lobe;
    double flash = 0;
  };
  void point(const Vec2& place, double counts, double flutter = 0, const Face& face = {{0, 0}, 0, 0});
  void shadow(const Vec2& from, const Vec2& to, double counts);

  Town& town_;
  const Spine& spine_;
  Random& random_;
  double brightness_;  // added to everything [counts]
};

// The points of a car around its middle, in its own frame, and its sides.
Surroundings make_car(Random& random);

}  // namespace fmbym::simulator
