#include "datasets/simulator/radar.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "datasets/simulator/random.hpp"

namespace fmbym::simulator {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kDegree = std::numbers::pi / 180;
constexpr int kEncoderTurn = 5600;
constexpr double kWavelength = 0.0039;        // at 76.5 GHz [m]
constexpr double kReference = 10;             // range at which reflectors are given [m]
constexpr double kNearest = 1;                // nothing is nearer [m]
constexpr double kBeamStep = 0.05 * kDegree;  // of the table
constexpr float kClear = 30;                  // echoes with shoulders [counts]
constexpr float kStrong = 78;                 // echoes with side lobes [counts]
constexpr float kVeryStrong = 92;             // and with ghosts [counts]
constexpr float kGhostLoss = 62;              // [counts]
constexpr float kBackLoss = 25;               // of a face seen from behind [counts]
constexpr double kFlashWidth = 0.003;         // 1 - cosine: of a mirror's reflection, 4 degrees
constexpr float kSaturation = 134;            // [counts]
constexpr float kFaintest = -14;              // below the noise whatever adds up [counts]

double distance(const Vec2& a, const Vec2& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

// Where it is when that azimuth is measured.
Vec2 place_of(const Scatterer& s, double since) {
  return {s.x + s.velocity_x * since, s.y + s.velocity_y * since};
}

// The numbers from 0 in the order of the echoes' rows, and where each row begins.
struct ByRow {
  std::vector<Echo> echoes;
  std::vector<std::size_t> first;

  ByRow(const std::vector<Echo>& unsorted, int rows)
      : echoes(unsorted.size()), first(static_cast<std::size_t>(rows) + 1) {
    for (const Echo& echo : unsorted) ++first[static_cast<std::size_t>(echo.row) + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<std::size_t> next = first;
    for (const Echo& echo : unsorted) echoes[next[static_cast<std::size_t>(echo.row)]++] = echo;
  }
  std::span<const Echo> row(std::size_t r) const {
    return std::span(echoes).subspan(first[r], first[r + 1] - first[r]);
  }
};

}  // namespace

Radar::Radar(const SimulatorConfig& config)
    : seed_(mix(config.seed, 's')),
      azimuths_(config.azimuths),
      bins_(config.bins),
      range_resolution_(config.range_resolution),
      azimuth_offset_(config.azimuth_offset),
      receiver_(config) {
  Random random(seed_);
  first_encoder_ = random.whole(0, 14);
  falloff_ = random.uniform(1.3, 1.7);
  tabulate_beam();
}

// A main lobe of 1.8 degrees to half power one way, on broad shoulders, and side lobes.
void Radar::tabulate_beam() {
  Random random(mix(seed_, 'b'));
  const double half = random.uniform(0.86, 0.94) * kDegree, last = 13 * kDegree;
  const double lobes = random.uniform(-44, -38), shoulders = random.uniform(-17, -13);  // [dB], both ways
  for (double angle = 0; angle < last; angle += kBeamStep) {
    const double off = angle / half;
    const double main = std::pow(10, -6 * off * off / 20) + std::pow(10, (shoulders - 1.25 * off * off) / 20);
    const double level = angle > 2 * half ? std::pow(10, (lobes - 14 * angle / last) / 20) : 0;
    const double ripple = std::abs(std::sin(off * 1.9));
    beam_.push_back(static_cast<float>(main + level * ripple));
  }
  const double step = kTurn / azimuths_;
  main_rows_ = static_cast<int>(std::ceil(2.7 * kDegree / step));
  shoulder_rows_ = static_cast<int>(std::ceil(4.5 * kDegree / step));
  beam_rows_ = static_cast<int>(std::ceil(last / step));
}

PolarScan Radar::empty_scan(const Turn& turn) const {
  PolarScan scan;
  scan.timestamp_us = turn.timestamp_us;
  scan.bins = bins_;
  scan.range_resolution = range_resolution_;
  scan.power.resize(static_cast<std::size_t>(azimuths_) * static_cast<std::size_t>(bins_));
  scan.valid.assign(static_cast<std::size_t>(azimuths_), 1);
  for (int a = 0; a < azimuths_; ++a) {
    const double encoder = first_encoder_ + std::floor(static_cast<double>(a) * kEncoderTurn / azimuths_);
    scan.azimuth.push_back(encoder * 2 * std::numbers::pi / kEncoderTurn + azimuth_offset_);
    scan.azimuth_time_us.push_back(turn.timestamp_us + std::llround(1e6 * turn.duration * a / azimuths_));
  }
  return scan;
}

Radar::Looks Radar::looks_of(const Turn& turn, const Route& route, const PolarScan& scan) const {
  Looks looks;
  for (int a = 0; a < azimuths_; ++a) {
    const double time = turn.duration * a / azimuths_;
    const SE2 pose = route.at(turn.start + time);
    const double angle = pose.yaw + scan.azimuth[static_cast<std::size_t>(a)];
    looks.push_back({{pose.x, pose.y}, {std::cos(angle), std::sin(angle)}, angle, time - turn.duration / 2});
  }
  return looks;
}

double Radar::first_guess(const Vec2& place, const Looks& looks) const {
  const Look& look = looks[looks.size() / 2];
  const double bearing = std::atan2(place.y - look.from.y, place.x - look.from.x);
  const double rows = wrap_angle(bearing - look.angle) / kTurn * azimuths_;
  return azimuths_ / 2 + rows;
}

double Radar::row_facing(const Vec2& place, const Vec2& velocity, double guess, const Looks& looks) const {
  double row = guess;
  for (int round = 0; round < 3; ++round) {
    const double whole = std::clamp(std::round(row), 0.0, azimuths_ - 1.0);
    const Look& look = looks[static_cast<std::size_t>(whole)];
    const Vec2 off = {place.x + velocity.x * look.since - look.from.x,
                      place.y + velocity.y * look.since - look.from.y};
    row = whole + wrap_angle(std::atan2(off.y, off.x) - look.angle) / kTurn * azimuths_;
  }
  return row;
}

Shadows Radar::cast_shadows(const std::vector<Shadow>& shadows, const Looks& looks) const {
  std::vector<Shadows::Veil> veils;
  const int rays = Shadows::kRays * azimuths_;
  for (const Shadow& shadow : shadows) {
    const double a = row_facing(shadow.from, {}, first_guess(shadow.from, looks), looks);
    double b = row_facing(shadow.to, {}, first_guess(shadow.to, looks), looks);
    b -= azimuths_ * std::round((b - a) / azimuths_);
    const Vec2 wall = {shadow.to.x - shadow.from.x, shadow.to.y - shadow.from.y};
    const int first = static_cast<int>(std::floor(Shadows::kRays * std::min(a, b)));
    const int last = static_cast<int>(std::ceil(Shadows::kRays * std::max(a, b)));
    for (int r = first; r <= last; ++r) {
      const int ray = ((r % rays) + rays) % rays;
      const Look& look = looks[static_cast<std::size_t>(ray / Shadows::kRays)];
      const double turned = kTurn / rays * (ray % Shadows::kRays);
      const Vec2 d = ray % Shadows::kRays == 0 ? look.direction : rotate(turned, look.direction);
      const Vec2 off = {shadow.from.x - look.from.x, shadow.from.y - look.from.y};
      const double across = d.x * wall.y - d.y * wall.x;
      if (std::abs(across) < 1e-9) continue;
      const double range = (off.x * wall.y - off.y * wall.x) / across;
      const double along = (off.x * d.y - off.y * d.x) / across;
      if (range > kNearest && along > -0.02 && along < 1.02)
        veils.push_back({ray, static_cast<float>(range), shadow.counts});
    }
  }
  return Shadows(std::move(veils), azimuths_);
}

float Radar::strength(const Scatterer& s, const Look& look, std::uint64_t chance) const {
  const Vec2 place = place_of(s, look.since);
  const double range = std::max(kNearest, distance(place, look.from));
  float counts = s.counts - static_cast<float>(6 * falloff_ * std::log2(range / kReference));
  if (s.lobe > 0) {
    const double facing =
        ((look.from.x - place.x) * s.normal_x + (look.from.y - place.y) * s.normal_y) / range;
    counts -= s.lobe * static_cast<float>(1 - std::max(0.0, facing)) + (facing < 0 ? kBackLoss : 0);
    counts += s.flash * static_cast<float>(std::exp(-(1 - facing) / kFlashWidth));
  }
  // Nearly normal: the sum of two uniform numbers, brought to a deviation of 1.
  counts += s.flutter * 2.45F * static_cast<float>(to_unit(chance) + to_unit(mix(chance)) - 1);
  return std::min(counts, kSaturation);
}

void Radar::receive(const Scatterer& s, double row, const Looks& looks, const Shadows& shadows,
                    std::uint64_t number, std::vector<Echo>& echoes) const {
  static const float kGhost = amplitude_of(-kGhostLoss), kCastsGhost = amplitude_of(70);
  const int middle = static_cast<int>(std::lround(row));
  const Look& facing = looks[static_cast<std::size_t>(std::clamp(middle, 0, azimuths_ - 1))];
  const std::uint64_t chance = mix(seed_, number, s.id);
  const float counts =
      strength(s, facing, chance) - shadows.before(row, distance(place_of(s, facing.since), facing.from));
  if (counts < kFaintest) return;
  const float full = amplitude_of(counts);
  const auto own_phase = static_cast<float>(to_unit(mix(chance, 1)));
  const int reach = counts > kStrong ? beam_rows_ : counts > kClear ? shoulder_rows_ : main_rows_;
  for (int r = std::max(0, middle - reach); r <= std::min(azimuths_ - 1, middle + reach); ++r) {
    const Look& look = looks[static_cast<std::size_t>(r)];
    const Vec2 place = place_of(s, look.since), off = {place.x - look.from.x, place.y - look.from.y};
    const double along = off.x * look.direction.x + off.y * look.direction.y;
    const double beside = std::abs(off.x * look.direction.y - off.y * look.direction.x);
    const double range = std::hypot(along, beside);
    if (along <= 0 || range < kNearest) continue;
    const double angle = beside < 0.1 * along ? beside / along : std::atan2(beside, along);
    const auto step = static_cast<std::size_t>(angle / kBeamStep);
    if (step >= beam_.size()) continue;
    const float amplitude = full * beam_[step];
    const double turns = 2 * range / kWavelength;
    const auto phase = static_cast<float>(turns - std::floor(turns)) + own_phase;
    const auto bin = static_cast<float>(range / range_resolution_ - 0.5);
    if (amplitude > 0.2F) echoes.push_back({r, bin, amplitude, phase});
    if (counts > kVeryStrong && amplitude > kCastsGhost)  // there and back a second time, off the vehicle
      echoes.push_back({r, 2 * bin, amplitude * kGhost, 2 * phase});
  }
}

std::vector<Echo> Radar::receive_all(const Surroundings& surroundings, const Looks& looks,
                                     std::uint64_t number) const {
  const Shadows shadows = cast_shadows(surroundings.shadows, looks);
  const auto is_seen = [this](double row) { return row > -main_rows_ && row < azimuths_ - 1 + main_rows_; };
  const double seam = azimuths_ / 8.0;
  std::vector<Echo> echoes;
  for (const Scatterer& s : surroundings.scatterers) {
    const Vec2 place = {s.x, s.y}, velocity = {s.velocity_x, s.velocity_y};
    const double guess = first_guess(place, looks), row = row_facing(place, velocity, guess, looks);
    if (is_seen(row)) receive(s, row, looks, shadows, number, echoes);
    if (guess >= seam && guess <= azimuths_ - seam) continue;
    // Near the seam a thing may be seen at the beginning of the turn and at its end, or at neither.
    const double other = row_facing(place, velocity, guess < seam ? azimuths_ - 1 : 0, looks);
    if (is_seen(other) && std::abs(other - row) > azimuths_ / 2.0)
      receive(s, other, looks, shadows, number, echoes);
  }
  return echoes;
}

PolarScan Radar::measure(const Turn& turn, const Route& route, const Surroundings& surroundings,
                         std::uint64_t number) const {
  PolarScan scan = empty_scan(turn);
  const ByRow echoes(receive_all(surroundings, looks_of(turn, route, scan), number), azimuths_);
  Receiver::Signal signal;
  for (int a = 0; a < azimuths_; ++a) {
    const auto row = static_cast<std::size_t>(a);
    receiver_.record(echoes.row(row), number, row, signal, {scan.row(a), static_cast<std::size_t>(bins_)});
  }
  return scan;
}

}  // namespace fmbym::simulator
