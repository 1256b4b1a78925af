#include "datasets/simulator/radar.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include "datasets/simulator/random.hpp"

namespace fmbym::simulator {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr int kEncoderTurn = 5600;
constexpr double kWavelength = 0.0039;                       // at 76.5 GHz [m]
constexpr double kReference = 10;                            // range at which reflectors are given [m]
constexpr double kNearest = 1;                               // nothing is nearer [m]
constexpr float kCountsPerAmplitude2 = 12;                   // for twice the amplitude: half a decibel each
constexpr float kStrong = 78;                                // echoes with side lobes [counts]
constexpr float kVeryStrong = 92;                            // and with ghosts [counts]
constexpr double kBeamStep = 0.05 / 180 * std::numbers::pi;  // of the table [rad]
constexpr int kFractions = 16;                               // of a bin
constexpr int kWave = 1024;
constexpr std::size_t kNoise = std::size_t{1} << 18;

float amplitude(float counts) {
  return std::exp2(counts / kCountsPerAmplitude2);
}

double distance(const Vec2& a, const Vec2& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

// 6 counts for twice the power, linear between powers of two, of whole numbers: as the sensor does it.
std::uint8_t to_counts(float power) {
  const float whole = std::max(1.0F, std::floor(power + 0.5F));
  const auto log2 = static_cast<float>(std::bit_cast<std::int32_t>(whole) - 0x3f800000) * 0x1p-23F;
  return static_cast<std::uint8_t>(std::min(255.0F, 6 * log2 + 0.5F));
}

}  // namespace

Radar::Radar(const SimulatorConfig& config)
    : seed_(mix(config.seed, 's')),
      azimuths_(config.azimuths),
      bins_(config.bins),
      range_resolution_(config.range_resolution),
      azimuth_offset_(config.azimuth_offset) {
  Random random(seed_);
  first_encoder_ = random.whole(0, 14);
  noise_power_ = 2.2 * config.noise * random.uniform(0.85, 1.2);
  falloff_ = random.uniform(2.3, 2.7);
  streak_energy_ = std::exp2(random.uniform(112, 118) / 6);
  null_ = std::max(2.0, random.uniform(0.49, 0.53) / range_resolution_);
  tabulate_response();
  tabulate_beam();
  tabulate_noise();
  for (int i = 0; i < kWave; ++i) wave_.push_back(static_cast<float>(std::cos(kTurn * i / kWave)));
}

// A Hann window's: side lobes 32 dB below the peak, and falling.
void Radar::tabulate_response() {
  main_taps_ = static_cast<int>(std::ceil(null_));
  taps_ = 3 * main_taps_;
  for (int f = 0; f < kFractions; ++f)
    for (int tap = -taps_; tap <= taps_; ++tap) {
      const double x = (tap - static_cast<double>(f) / kFractions) / (null_ / 2);
      const double sinc = std::abs(x) < 1e-9 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x);
      const double hann = std::abs(std::abs(x) - 1) < 1e-6 ? 0.5 : sinc / (1 - x * x);
      response_.push_back(static_cast<float>(hann * std::exp(-x * x / 60)));
    }
}

// A main lobe of 1.8 degrees to half power one way, and side lobes.
void Radar::tabulate_beam() {
  Random random(mix(seed_, 'b'));
  const double half = random.uniform(0.86, 0.94) / 180 * std::numbers::pi;
  const double lobes = random.uniform(-44, -38), last = 13.0 / 180 * std::numbers::pi;  // [dB, both ways]
  for (double angle = 0; angle < last; angle += kBeamStep) {
    const double main = std::pow(10, -6 / 20.0 * (angle / half) * (angle / half));
    const double level = std::pow(10, (lobes - 14 * angle / last) / 20);
    const double ripple = std::abs(std::sin(angle / half * 1.9));
    beam_.push_back(static_cast<float>(main + level * ripple * (angle > 2 * half ? 1 : 0)));
  }
  const double step = kTurn / azimuths_;
  main_rows_ = static_cast<int>(std::ceil(2.7 / 180 * std::numbers::pi / step));
  beam_rows_ = static_cast<int>(std::ceil(last / step));
}

// White noise after the range response, of power 1.
void Radar::tabulate_noise() {
  Random random(mix(seed_, 'n'));
  std::vector<float> white(2 * (kNoise + 2 * static_cast<std::size_t>(main_taps_) + 1));
  for (float& w : white) w = static_cast<float>(random.normal(0, std::sqrt(0.5)));
  const float* response = response_.data() + taps_ - main_taps_;
  const int taps = 2 * main_taps_ + 1;
  float power = 0;
  for (int k = 0; k < taps; ++k) power += response[k] * response[k];
  const float scale = 1 / std::sqrt(power);
  const std::size_t half = white.size() / 2;
  for (auto [out, from] : {std::pair{&noise_re_, white.data()}, std::pair{&noise_im_, white.data() + half}}) {
    out->assign(kNoise, 0);
    for (int k = 0; k < taps; ++k)
      for (std::size_t i = 0; i < kNoise; ++i)
        (*out)[i] += scale * response[k] * from[i + static_cast<std::size_t>(k)];
  }
}

std::vector<Radar::Look> Radar::looks_of(const Turn& turn, const Route& route, const PolarScan& scan) const {
  std::vector<Look> looks;
  for (int a = 0; a < azimuths_; ++a) {
    const double time = turn.duration * a / azimuths_;
    const SE2 pose = route.at(turn.start + time);
    const double angle = pose.yaw + scan.azimuth[static_cast<std::size_t>(a)];
    looks.push_back({{pose.x, pose.y}, {std::cos(angle), std::sin(angle)}, angle, time - turn.duration / 2});
  }
  return looks;
}

double Radar::first_guess(const Vec2& place, const std::vector<Look>& looks) const {
  const Look& look = looks[looks.size() / 2];
  const double bearing = std::atan2(place.y - look.from.y, place.x - look.from.x);
  const double rows = wrap_angle(bearing - look.angle) / kTurn * azimuths_;
  return azimuths_ / 2 + rows;
}

double Radar::row_facing(const Vec2& place, const Vec2& velocity, double guess,
                         const std::vector<Look>& looks) const {
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

Shadows Radar::cast_shadows(const std::vector<Shadow>& shadows, const std::vector<Look>& looks) const {
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

void Radar::receive(const Scatterer& s, double row, const std::vector<Look>& looks, const Shadows& shadows,
                    std::uint64_t number, std::vector<Echo>& echoes) const {
  const int middle = static_cast<int>(std::lround(row));
  const Look& at = looks[static_cast<std::size_t>(std::clamp(middle, 0, azimuths_ - 1))];
  const Vec2 place = {s.x + s.velocity_x * at.since, s.y + s.velocity_y * at.since};
  const double range = std::max(kNearest, distance(place, at.from));
  const std::uint64_t chance = mix(seed_, number, s.id);

  float counts = s.counts - static_cast<float>(6 * falloff_ * std::log2(range / kReference));
  if (s.lobe > 0) {
    const double facing = ((at.from.x - place.x) * s.normal_x + (at.from.y - place.y) * s.normal_y) / range;
    counts -= s.lobe * static_cast<float>(1 - std::max(0.0, facing)) + (facing < 0 ? 25.0F : 0.0F);
  }
  if (s.flutter > 0)  // nearly normal: the sum of two uniform numbers
    counts += s.flutter * 2.45F * static_cast<float>(to_unit(chance) + to_unit(mix(chance)) - 1);
  counts -= shadows.before(row, range);
  if (counts < -14) return;

  const int reach = counts > kStrong ? beam_rows_ : main_rows_;
  const float full = amplitude(counts);
  const auto phase = static_cast<float>(to_unit(mix(chance, 1)));
  for (int r = std::max(0, middle - reach); r <= std::min(azimuths_ - 1, middle + reach); ++r) {
    const Look& look = looks[static_cast<std::size_t>(r)];
    const Vec2 off = {s.x + s.velocity_x * look.since - look.from.x,
                      s.y + s.velocity_y * look.since - look.from.y};
    const double along = off.x * look.direction.x + off.y * look.direction.y;
    const double beside = off.x * look.direction.y - off.y * look.direction.x;
    if (along <= 0) continue;
    const double tangent = std::abs(beside / along);
    const auto step = static_cast<std::size_t>((tangent < 0.1 ? tangent : std::atan(tangent)) / kBeamStep);
    if (step >= beam_.size()) continue;
    const double away = std::hypot(along, beside);
    if (away < kNearest) continue;
    const double turns = 2 * away / kWavelength;
    const float strength = full * beam_[step];
    const auto bin = static_cast<float>(away / range_resolution_ - 0.5);
    const auto turned = static_cast<float>(turns - std::floor(turns)) + phase;
    if (strength > 0.2F) echoes.push_back({r, bin, strength, turned});
    if (counts > kVeryStrong && strength > amplitude(70))  // between the thing and the vehicle once more
      echoes.push_back({r, 2 * bin, strength * amplitude(-62), 2 * turned});
  }
}

// Reflections within the sensor: the same ones always, a little stronger here and weaker there.
void Radar::leak(int row, std::uint64_t number, std::vector<Echo>& echoes) const {
  constexpr int reflections = 9;
  constexpr float spacing = 0.27F;  // [m]
  const double turn = static_cast<double>(row) / azimuths_;
  for (int i = 0; i < reflections; ++i) {
    const std::uint64_t fixed = mix(seed_, 'l', static_cast<std::uint64_t>(i));
    const double wave =
        std::sin(kTurn * (2 * turn + to_unit(fixed))) + std::sin(kTurn * (5 * turn + to_unit(mix(fixed))));
    const double flicker = to_unit(mix(fixed, number, static_cast<std::uint64_t>(row))) - 0.5;
    const double level = 42 - 2.6 * i + 6 * (to_unit(mix(fixed, 1)) - 0.5);
    const auto range = spacing * static_cast<float>(i + to_unit(mix(fixed, 2)));
    echoes.push_back({row, range / static_cast<float>(range_resolution_),
                      amplitude(static_cast<float>(level + 2 * wave + 8 * flicker)),
                      static_cast<float>(0.3 * wave + to_unit(mix(fixed, 3)) + 0.2 * flicker)});
  }
}

void Radar::add(const Echo& echo, float* re, float* im) const {
  const float whole = std::floor(echo.bin);
  const int fraction = static_cast<int>((echo.bin - whole) * kFractions);
  const int bin = static_cast<int>(whole);
  const int reach = echo.amplitude > amplitude(28) ? taps_ : main_taps_;
  const auto turn = static_cast<std::size_t>((echo.phase - std::floor(echo.phase)) * kWave);
  const float a = echo.amplitude * wave_[turn % kWave],
              b = echo.amplitude * wave_[(turn + kWave / 4) % kWave];
  const float* response = response_.data() + fraction * (2 * taps_ + 1) + taps_;
  const int first = std::max(-reach, -bin), last = std::min(reach, bins_ - 1 - bin);
  for (int k = first; k <= last; ++k) {
    re[bin + k] += a * response[k];
    im[bin + k] += b * response[k];
  }
}

// The receiver's, more where a strong echo shakes it, and now and then another radar's.
double Radar::noise_of(int row, double energy, std::uint64_t number) const {
  const std::uint64_t chance = mix(mix(seed_, 'i'), number, static_cast<std::uint64_t>(row));
  const double flicker = 0.5 + to_unit(chance);
  const double interference = to_unit(mix(chance)) < 0.002 ? 40 * to_unit(mix(chance, 2)) : 0;
  return noise_power_ * (1 + flicker * energy / streak_energy_ + interference);
}

PolarScan Radar::measure(const Turn& turn, const Route& route, const Surroundings& surroundings,
                         std::uint64_t number) const {
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
  const std::vector<Look> looks = looks_of(turn, route, scan);
  const Shadows shadows = cast_shadows(surroundings.shadows, looks);

  std::vector<Echo> echoes;
  const double edge = azimuths_ / 8.0;
  for (const Scatterer& s : surroundings.scatterers) {
    const Vec2 place = {s.x, s.y}, velocity = {s.velocity_x, s.velocity_y};
    const double guess = first_guess(place, looks);
    const double row = row_facing(place, velocity, guess, looks);
    const auto seen = [&](double r) { return r > -main_rows_ && r < azimuths_ - 1 + main_rows_; };
    if (seen(row)) receive(s, row, looks, shadows, number, echoes);
    // Near the seam a thing may be seen at the beginning of the turn and at its end, or at neither.
    if (guess < edge || guess > azimuths_ - edge) {
      const double other = row_facing(place, velocity, guess < edge ? azimuths_ - 1 : 0, looks);
      if (seen(other) && std::abs(other - row) > azimuths_ / 2.0)
        receive(s, other, looks, shadows, number, echoes);
    }
  }
  for (int a = 0; a < azimuths_; ++a) leak(a, number, echoes);

  std::vector<std::uint32_t> first(static_cast<std::size_t>(azimuths_) + 2), order(echoes.size());
  for (const Echo& echo : echoes) ++first[static_cast<std::size_t>(echo.row) + 2];
  for (std::size_t i = 2; i < first.size(); ++i) first[i] += first[i - 1];
  for (std::uint32_t i = 0; i < echoes.size(); ++i)
    order[first[static_cast<std::size_t>(echoes[i].row) + 1]++] = i;

  std::vector<float> re(static_cast<std::size_t>(bins_)), im(re.size());
  for (int a = 0; a < azimuths_; ++a) {
    double energy = 0;
    const auto row = static_cast<std::size_t>(a);
    for (std::uint32_t i = first[row]; i < first[row + 1]; ++i)
      energy += static_cast<double>(echoes[order[i]].amplitude) * echoes[order[i]].amplitude;
    const auto scale = static_cast<float>(std::sqrt(noise_of(a, energy, number)));
    const std::size_t start = mix(mix(seed_, 'w'), number, row) % (kNoise - re.size());
    for (std::size_t b = 0; b < re.size(); ++b) {
      re[b] = scale * noise_re_[start + b];
      im[b] = scale * noise_im_[start + b];
    }
    for (std::uint32_t i = first[row]; i < first[row + 1]; ++i) add(echoes[order[i]], re.data(), im.data());
    std::uint8_t* out = scan.row(a);
    for (std::size_t b = 0; b < re.size(); ++b) out[b] = to_counts(re[b] * re[b] + im[b] * im[b]);
  }
  return scan;
}

}  // namespace fmbym::simulator
