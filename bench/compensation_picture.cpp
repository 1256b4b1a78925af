// ./build/release/bench/fmbym_compensation_picture FILE.png: a street scanned by a moving radar, before and
// after the motion is taken out. The picture of docs/geometry.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"
#include "fmbym/imaging/cartesian_imager.hpp"
#include "report/canvas.hpp"

namespace fmbym {
namespace {

using report::Canvas;
using report::Colour;
using report::Point;
using report::Rectangle;

constexpr double kTurnSeconds = 0.25;
constexpr Twist2 kVelocity{15, 0, 0.5};  // [m/s, m/s, rad/s]

struct Wall {
  Vec2 from, to;
};

// House fronts on both sides of a street, and a house across its end.
const std::vector<Wall> kStreet = {{{-45, 11}, {-20, 11}}, {{-12, 11}, {10, 11}},  {{18, 11}, {40, 11}},
                                   {{-45, -9}, {-30, -9}}, {{-22, -9}, {5, -9}},   {{12, -9}, {40, -9}},
                                   {{44, -12}, {44, 14}},  {{-12, 11}, {-12, 22}}, {{10, 11}, {10, 22}},
                                   {{12, -9}, {12, -20}},  {{-22, -9}, {-22, -18}}};

// Where a ray from the sensor meets the nearest wall; infinite if it meets none.
double range_to(const SE2& T_world_sensor, double azimuth) {
  const Vec2 ray = rotate(T_world_sensor.yaw + azimuth, {1, 0});
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto& [from, to] : kStreet) {
    const Vec2 along{to.x - from.x, to.y - from.y},
        away{from.x - T_world_sensor.x, from.y - T_world_sensor.y};
    const double det = ray.y * along.x - ray.x * along.y;
    if (std::abs(det) < 1e-9) continue;
    const double range = (away.y * along.x - away.x * along.y) / det;
    const double part = (ray.x * away.y - ray.y * away.x) / det;
    if (range > 0 && part >= 0 && part <= 1) nearest = std::min(nearest, range);
  }
  return nearest;
}

PolarScan scan_street() {
  constexpr int azimuths = 800;
  PolarScan scan;
  scan.bins = 1400;
  scan.range_resolution = 0.05;
  scan.power.resize(std::size_t(azimuths) * std::size_t(scan.bins));
  for (int a = 0; a < azimuths; ++a) {
    const double part = static_cast<double>(a) / azimuths, t = (part - 0.5) * kTurnSeconds;
    scan.azimuth.push_back(2 * std::numbers::pi * part);
    scan.azimuth_time_us.push_back(std::int64_t(1e6 * part * kTurnSeconds));
    scan.valid.push_back(1);
    const double range =
        range_to(SE2::exp({kVelocity.x * t, kVelocity.y * t, kVelocity.yaw * t}), scan.azimuth.back());
    for (int b = 0; b < scan.bins; ++b) {
      const double off = (scan.range(b) - range) / 0.35;
      scan.row(a)[b] = static_cast<std::uint8_t>(255 * std::exp(-0.5 * off * off));
    }
  }
  return scan;
}

void draw(Canvas& canvas, const Rectangle& area, const Image& image, const std::string& heading) {
  report::Raster raster{image.size(), image.size(), {}};
  for (const float v : image.pixels()) {
    const double p = std::clamp(double(v), 0.0, 1.0);
    raster.pixels.push_back(Colour{0.07 + 0.93 * p, 0.09 + 0.86 * p, 0.16 + 0.70 * p});
  }
  canvas.image(raster, area);
  canvas.text({area.left, area.top - 12}, heading, {.size = 15, .bold = true});
  const auto inside = canvas.clip(area);
  const double scale = area.width / (image.size() * image.metres_per_pixel());
  const auto at = [&](const Vec2& p) {
    return Point{area.middle().x + p.y * scale, area.middle().y - p.x * scale};
  };
  for (const auto& [from, to] : kStreet) canvas.line(at(from), at(to), {Colour{0.2, 0.75, 1.0}, 1});
  const std::vector<Point> vehicle = {at({2.5, 0}), at({-1.2, 1.4}), at({0, 0}), at({-1.2, -1.4})};
  canvas.fill(vehicle, Colour{1.0, 0.6, 0.1});
}

void write_picture(const char* file) {
  const PolarScan scan = scan_street();
  CartesianImager imager(imaging_for_resolution(511));
  imager.load(scan);
  const Image before = imager.form(Twist2{});
  const Image after = imager.form(kVelocity);
  Canvas canvas(1080, 600);
  draw(canvas, {20, 50, 510, 510}, before, "As measured");
  draw(canvas, {550, 50, 510, 510}, after, "With the motion taken out");
  canvas.text({20, 585},
              "One turn of the radar at 15 m/s and 29 °/s through a simulated street. Blue: where the walls "
              "are, seen "
              "from the middle of the turn.",
              {.size = 13});
  write_file(file, canvas.png());
}

}  // namespace
}  // namespace fmbym

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: fmbym_compensation_picture FILE.png\n");
    return 2;
  }
  try {
    fmbym::write_picture(arguments[1]);
  } catch (const fmbym::Error& error) {
    fmt::print(stderr, "fmbym_compensation_picture: {}\n", error.what());
    return 1;
  }
}
