#include "datasets/simulator/builder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fmbym::simulator {
namespace {

constexpr double kGrain = 0.4;        // between points of a rough surface [m]
constexpr double kLongestShadow = 4;  // pieces, so that a wall may end at a road [m]

struct Line {
  Vec2 from, along;  // unit vector
  double length;
  Line(const Vec2& a, const Vec2& b) : from(a), length(std::hypot(b.x - a.x, b.y - a.y)) {
    const double l = std::max(length, 1e-9);
    along = {(b.x - a.x) / l, (b.y - a.y) / l};
  }
  Vec2 at(double s, double aside = 0) const {
    return {from.x + s * along.x - aside * along.y, from.y + s * along.y + aside * along.x};
  }
};

}  // namespace

void Builder::point(const Vec2& place, double counts, double flutter, const Face& face) {
  if (spine_.clearance(place) < kKerb) return;
  Scatterer s;
  s.x = static_cast<float>(place.x);
  s.y = static_cast<float>(place.y);
  s.counts = static_cast<float>(counts + brightness_);
  s.normal_x = static_cast<float>(face.normal.x);
  s.normal_y = static_cast<float>(face.normal.y);
  s.lobe = static_cast<float>(face.lobe);
  s.flash = static_cast<float>(face.flash);
  s.flutter = static_cast<float>(flutter);
  town_.add(s);
}

void Builder::shadow(const Vec2& from, const Vec2& to, double counts) {
  const Line line(from, to);
  for (double s = 0; s < line.length; s += kLongestShadow) {
    const Vec2 a = line.at(s), b = line.at(std::min(s + kLongestShadow, line.length));
    if (std::min(spine_.clearance(a), spine_.clearance(b)) >= kKerb)
      town_.add(Shadow{a, b, static_cast<float>(counts)});
  }
}

void Builder::wall(const Vec2& from, const Vec2& to, const Vec2& front, double counts, double bay,
                   double loss) {
  const Line line(from, to);
  const double towards = (front.x - from.x) * -line.along.y + (front.y - from.y) * line.along.x;
  const double facing = towards > 0 ? 1 : -1;
  const Vec2 normal = {-line.along.y * facing, line.along.x * facing};
  const double lobe = random_.uniform(28, 48), rough = random_.uniform(0.02, 0.2);
  const double flash = random_.uniform(0, 30);
  for (double s = 0; s < line.length; s += kGrain)
    point(line.at(s, facing * random_.uniform(-rough, rough)), counts + random_.normal(0, 4), 0.5,
          {normal, lobe, flash});
  const double recess = random_.uniform(0.1, 0.6), spread = random_.uniform(7, 14);
  for (double s = random_.uniform(0, bay); s < line.length; s += bay) {  // frames, sills, drain pipes
    point(line.at(s), counts + random_.normal(-2, spread), 1, {normal, 14});
    point(line.at(s + random_.uniform(0.3, 1), -facing * recess), counts + random_.normal(-12, spread), 1,
          {normal, 14});
  }
  for (double s = random_.uniform(0, 3); s < line.length; s += random_.uniform(0.5, 4))  // rooms behind
    point(line.at(s, -facing * random_.uniform(0.5, 9)), counts + random_.normal(-4, 9), 2);
  for (const double corner : {0.0, line.length}) point(line.at(corner), counts + random_.normal(2, 6), 1);
  shadow(from, to, loss);
}

void Builder::house(double along, double width, double offset, double depth, double counts) {
  const Vec2 a = spine_.beside(along, offset), b = spine_.beside(along + width, offset);
  const Line line(a, b);
  const double inward = offset > 0 ? 1 : -1;
  const double room = std::min(std::abs(offset), 18.0) * 0.75;
  if (line.length < 0.4 * width ||
      std::min({spine_.clearance(a), spine_.clearance(b), spine_.clearance(line.at(line.length / 2))}) < room)
    return;
  const double bay = random_.uniform(1.8, 5), loss = random_.uniform(20, 44);
  const Vec2 road = spine_.beside(along + width / 2, 0);
  wall(a, b, road, counts, bay, loss);
  const Vec2 back_a = line.at(0, inward * depth), back_b = line.at(line.length, inward * depth);
  const Vec2 middle = line.at(line.length / 2, inward * depth / 2);
  const auto outside = [&](const Vec2& end) { return Vec2{2 * end.x - middle.x, 2 * end.y - middle.y}; };
  wall(a, back_a, outside(line.at(0, inward * depth / 2)), counts - 3, 2 * bay, loss);
  wall(b, back_b, outside(line.at(line.length, inward * depth / 2)), counts - 3, 2 * bay, loss);
  wall(back_a, back_b, outside(line.at(line.length / 2, inward * depth)), counts - 6, 2 * bay, loss);
}

void Builder::tree(const Vec2& place, double radius) {
  const double leaves = random_.normal(72, 5);
  const int twigs = static_cast<int>(8 + 7 * radius);
  for (int i = 0; i < twigs; ++i) {
    const Vec2 at =
        rotate(random_.uniform(0, 2 * std::numbers::pi), {radius * std::sqrt(random_.uniform()), 0});
    point({place.x + at.x, place.y + at.y}, leaves + random_.normal(0, 7), 6);
  }
  point(place, random_.normal(92, 6), 2);
  const double loss = random_.uniform(4, 12), half = 0.6 * radius;
  shadow({place.x - half, place.y}, {place.x + half, place.y}, loss);
  shadow({place.x, place.y - half}, {place.x, place.y + half}, loss);
}

void Builder::pole(const Vec2& place, double counts) {
  point(place, counts, 1);
}

void Builder::thicket(const SE2& place, double length, double depth) {
  const double leaves = random_.normal(88, 6);
  for (double x = 0; x < length; x += 0.6) {
    const double here = depth * std::sin(std::numbers::pi * x / length) * random_.uniform(0.4, 1);
    for (double y = (depth - here) / 2; y < (depth + here) / 2; y += random_.uniform(0.5, 1.8))
      point(place * Vec2{x + random_.uniform(-0.4, 0.4), y}, leaves + random_.normal(0, 8), 4);
  }
  const Vec2 from = place * Vec2{0, depth / 2}, to = place * Vec2{length, depth / 2};
  shadow(from, to, random_.uniform(8, 20));
}

void Builder::landmark(const Vec2& place, double counts) {
  point(place, counts, 2);
}

void Builder::litter(const Vec2& place, double counts) {
  point(place, counts, 2);
}

void Builder::car(const SE2& place) {
  const Surroundings car = make_car(random_);
  for (const Scatterer& s : car.scatterers) {
    const Vec2 normal = rotate(place.yaw, {s.normal_x, s.normal_y});
    point(place * Vec2{s.x, s.y}, s.counts, s.flutter, {normal, s.lobe});
  }
  for (const Shadow& side : car.shadows) shadow(place * side.from, place * side.to, side.counts);
}

void Builder::fence(const Vec2& from, const Vec2& to, double post, double between, double apart) {
  const Line line(from, to);
  const Vec2 normal = {-line.along.y, line.along.x};
  for (double s = 0; s < line.length; s += apart) point(line.at(s), post + random_.normal(0, 3), 1);
  for (double s = 0; s < line.length; s += kGrain)
    point(line.at(s, random_.uniform(-0.05, 0.05)), between + random_.normal(0, 4), 1, {normal, 32});
  shadow(from, to, random_.uniform(2, 6));
}

void Builder::hedge(const Vec2& from, const Vec2& to) {
  const Line line(from, to);
  const double leaves = random_.normal(74, 5), depth = random_.uniform(0.5, 1.5);
  for (double s = 0; s < line.length; s += 0.3)
    point(line.at(s, random_.uniform(0, depth)), leaves + random_.normal(0, 6), 4);
  shadow(from, to, random_.uniform(6, 16));
}

Surroundings make_car(Random& random) {
  Surroundings car;
  const double half_length = random.uniform(1.8, 2.6), half_width = random.uniform(0.8, 1.05);
  const double paint = random.normal(90, 5);
  const auto add = [&](double x, double y, double counts, double nx, double ny, double lobe) {
    Scatterer s;
    s.x = static_cast<float>(x);
    s.y = static_cast<float>(y);
    s.counts = static_cast<float>(counts);
    s.normal_x = static_cast<float>(nx);
    s.normal_y = static_cast<float>(ny);
    s.lobe = static_cast<float>(lobe);
    s.flutter = 1.5F;
    car.scatterers.push_back(s);
  };
  for (const double end : {-1.0, 1.0}) {
    for (const double side : {-1.0, 1.0})
      add(end * half_length, side * half_width, paint + random.normal(8, 6), 0, 0, 0);
    for (double y = -half_width; y <= half_width; y += 0.5)
      add(end * half_length, y, paint + random.normal(2, 5), end, 0, 35);
  }
  for (const double side : {-1.0, 1.0}) {
    for (double x = -half_length; x <= half_length; x += 0.5)
      add(x, side * half_width, paint + random.normal(0, 4), 0, side, 40);
    for (const double wheel : {-0.6, 0.6})
      add(wheel * half_length, side * half_width, paint + random.normal(5, 6), 0, 0, 0);
  }
  const float loss = static_cast<float>(random.uniform(8, 20));
  const Vec2 corners[] = {{half_length, half_width},
                          {half_length, -half_width},
                          {-half_length, -half_width},
                          {-half_length, half_width}};
  for (std::size_t i = 0; i < 4; ++i) car.shadows.push_back({corners[i], corners[(i + 1) % 4], loss / 2});
  return car;
}

}  // namespace fmbym::simulator
