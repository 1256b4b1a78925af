#include "datasets/simulator/receiver.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include "datasets/simulator/random.hpp"

namespace fmbym::simulator {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr float kCountsPerOctave = 12;  // of amplitude; 6 of power
constexpr int kFractions = 16;          // of a bin
constexpr int kWave = 1024;
constexpr std::size_t kNoise = std::size_t{1} << 18;
constexpr std::size_t kBlindBins = 5;  // the nearest bins of a row are all the same

// 6 counts for twice the power, linear between powers of two, of whole numbers: as the sensor does it.
std::uint8_t to_counts(float power) {
  const float whole = std::max(1.0F, std::floor(power + 0.5F));
  const auto log2 = static_cast<float>(std::bit_cast<std::int32_t>(whole) - 0x3f800000) * 0x1p-23F;
  return static_cast<std::uint8_t>(std::min(255.0F, 6 * log2 + 0.5F));
}

}  // namespace

float amplitude_of(float counts) {
  return std::exp2(counts / kCountsPerOctave);
}

Receiver::Receiver(const SimulatorConfig& config)
    : seed_(mix(config.seed, 'e')),
      azimuths_(config.azimuths),
      bins_(config.bins),
      range_resolution_(config.range_resolution) {
  Random random(seed_);
  noise_power_ = 1.95 * config.noise * random.uniform(0.85, 1.2);
  streak_energy_ = std::exp2(random.uniform(116, 121) / 6);
  reverberation_ = static_cast<float>(std::exp2(random.uniform(-112, -104) / 6) * range_resolution_ / 0.0438);
  decay_ = static_cast<float>(std::exp(-range_resolution_ / random.uniform(15, 35)));
  null_ = std::max(2.0, random.uniform(0.49, 0.53) / range_resolution_);
  tabulate_response();
  tabulate_noise();
  for (int i = 0; i < kWave; ++i) wave_.push_back(static_cast<float>(std::cos(kTurn * i / kWave)));
}

// A Hann window's: side lobes 32 dB below the peak, and falling.
void Receiver::tabulate_response() {
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

// White noise after the range response.
void Receiver::tabulate_noise() {
  Random random(mix(seed_, 'n'));
  const float* response = response_.data() + taps_ - main_taps_;
  const auto taps = static_cast<std::size_t>(2 * main_taps_ + 1);
  float power = 0;
  for (std::size_t k = 0; k < taps; ++k) power += response[k] * response[k];
  const float scale = 1 / std::sqrt(power);
  std::vector<float> white(kNoise + taps);
  for (std::vector<float>* part : {&noise_re_, &noise_im_}) {
    for (float& w : white) w = static_cast<float>(random.normal(0, std::sqrt(0.5)));
    part->assign(kNoise, 0);
    for (std::size_t k = 0; k < taps; ++k)
      for (std::size_t i = 0; i < kNoise; ++i) (*part)[i] += scale * response[k] * white[i + k];
  }
}

void Receiver::add(const Echo& echo, Signal& signal) const {
  static const float kStrong = amplitude_of(28);  // others' side lobes are below the noise
  const float whole = std::floor(echo.bin);
  const int bin = static_cast<int>(whole), fraction = static_cast<int>((echo.bin - whole) * kFractions);
  const int reach = echo.amplitude > kStrong ? taps_ : main_taps_;
  const auto turn = static_cast<std::size_t>((echo.phase - std::floor(echo.phase)) * kWave);
  const float a = echo.amplitude * wave_[turn % kWave];
  const float b = echo.amplitude * wave_[(turn + kWave / 4) % kWave];
  const float* response = response_.data() + fraction * (2 * taps_ + 1) + taps_;
  float *re = signal.re.data() + bin, *im = signal.im.data() + bin;
  const int first = std::max(-reach, -bin), last = std::min(reach, bins_ - 1 - bin);
  for (int k = first; k <= last; ++k) {
    re[k] += a * response[k];
    im[k] += b * response[k];
  }
}

// Reflections within the sensor: the same ones always, a little stronger here and weaker there.
void Receiver::leak(std::uint64_t scan, std::uint64_t row, Signal& signal) const {
  constexpr std::uint64_t reflections = 9;
  constexpr double spacing = 0.27;  // [m]
  const double turn = static_cast<double>(row) / azimuths_;
  for (std::uint64_t i = 0; i < reflections; ++i) {
    const std::uint64_t fixed = mix(seed_, 'l', i);
    const double wave =
        std::sin(kTurn * (2 * turn + to_unit(fixed))) + std::sin(kTurn * (5 * turn + to_unit(mix(fixed))));
    const double flicker = to_unit(mix(fixed, scan, row)) - 0.5;
    const double counts =
        42 - 2.6 * static_cast<double>(i) + 6 * (to_unit(mix(fixed, 1)) - 0.5) + 2 * wave + 8 * flicker;
    const double range = spacing * (static_cast<double>(i) + to_unit(mix(fixed, 2)));
    add({0, static_cast<float>(range / range_resolution_), amplitude_of(static_cast<float>(counts)),
         static_cast<float>(0.3 * wave + to_unit(mix(fixed, 3)) + 0.2 * flicker)},
        signal);
  }
}

// The receiver's own, more of it where strong echoes shake it, and now and then another radar's. Behind every
// echo comes a tail of what was reflected to and fro between the houses.
void Receiver::add_noise(double energy, std::uint64_t scan, std::uint64_t row, Signal& signal) const {
  const std::uint64_t chance = mix(mix(seed_, 'i'), scan, row);
  const double flicker = 0.75 + 0.5 * to_unit(chance);
  const double interference = to_unit(mix(chance)) < 0.002 ? 40 * to_unit(mix(chance, 2)) : 0;
  const double streak = energy / streak_energy_;
  const auto floor = static_cast<float>(noise_power_ * (1 + flicker * streak * streak + interference));
  const std::size_t start = mix(chance, 3) % (kNoise - signal.re.size());
  float tail = 0;
  for (std::size_t b = 0; b < signal.re.size(); ++b) {
    float &re = signal.re[b], &im = signal.im[b];
    tail = decay_ * tail + reverberation_ * (re * re + im * im);
    const float scale = std::sqrt(floor + tail);
    re += scale * noise_re_[start + b];
    im += scale * noise_im_[start + b];
  }
}

void Receiver::record(std::span<const Echo> echoes, std::uint64_t scan, std::uint64_t row, Signal& signal,
                      std::span<std::uint8_t> counts) const {
  signal.re.assign(static_cast<std::size_t>(bins_), 0);
  signal.im.assign(static_cast<std::size_t>(bins_), 0);
  double energy = 0;
  for (const Echo& echo : echoes) {
    add(echo, signal);
    energy += static_cast<double>(echo.amplitude) * echo.amplitude;
  }
  leak(scan, row, signal);
  add_noise(energy, scan, row, signal);
  for (std::size_t b = 0; b < counts.size(); ++b)
    counts[b] = to_counts(signal.re[b] * signal.re[b] + signal.im[b] * signal.im[b]);
  std::fill_n(counts.begin(), std::min(kBlindBins, counts.size() - 1),
              counts[std::min(kBlindBins, counts.size() - 1)]);
}

}  // namespace fmbym::simulator
