#include "fmbym/matching/fourier.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "fmbym/core/error.hpp"
#include "fmbym/core/stopwatch.hpp"
#include "matching/angle_search.hpp"
#include "matching/match_result.hpp"
#include "matching/peak.hpp"
#include "matching/second_look.hpp"
#include "matching/translation_search.hpp"

namespace fmbym {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kRival = 0.5;  // where a second peak in the rotation is so high, any may be the right one

std::vector<float> hann_window(int n) {
  std::vector<float> window;
  for (int i = 1; i <= n; ++i)
    window.push_back(static_cast<float>(0.5 - 0.5 * std::cos(2 * kPi * i / (n + 1))));
  return window;
}

class FourierMatcher final : public Matcher {
 public:
  FourierMatcher(const FourierConfig& config, int size, double metres_per_pixel)
      : config_(config),
        hann_(hann_window(size)),
        current_(size, metres_per_pixel),
        previous_(size, metres_per_pixel),
        rotation_(config, size, metres_per_pixel),
        translation_(size, max_lag_pixels(config.max_translation, size, metres_per_pixel), config.remove_mean,
                     config.lags_per_pixel),
        limits_{metres_per_pixel / config.lags_per_pixel,
                translation_.lags() * metres_per_pixel / config.lags_per_pixel,
                rotation_.lags() * rotation_.step()} {
    if (config.second_look > 0) second_look_.emplace(config, size, metres_per_pixel);
  }

  // Algorithm 1.
  Match match(const Image& current, const Image& previous) override {
    require_geometry(current, previous, current_);
    has_evidence_ = !is_blank(current) && !is_blank(previous);
    if (!has_evidence_) return undetermined_match(limits_);
    Stopwatch watch;
    Match result;
    const CurvePeak peak = rotation_peak(current, previous);                // Eq. (7)
    if (!std::isfinite(peak.position)) return undetermined_match(limits_);  // an image with NaN or infinity
    result.yaw_peak_ratio = peak.ratio;
    LagEstimate estimate;
    estimate.yaw = peak.position * rotation_.step();
    estimate.yaw_variance = peak.variance * rotation_.step() * rotation_.step();
    const Image& f = config_.window_translation ? current_ : current;
    const Image& g = config_.window_translation ? previous_ : previous;
    if (second_look_) look_again(f, g, peak, estimate);
    result.timings.rotation_ms = watch.lap_ms();

    translation_.set_current(f);
    const Surface surface{translation_.correlate(g, estimate.yaw), translation_.side()};  // Eq. (8)
    estimate.spread = surface_moments(surface, config_.translation_temperature);
    estimate.shift = shift_of(surface, estimate.spread);
    result.translation_peak_ratio = peak_ratio(surface, estimate.spread.best_row, estimate.spread.best_column,
                                               translation_lobe(limits_.metres_per_lag));
    result.correlation = estimate.spread.best;
    finish_match(estimate, limits_, result);
    shift_ = estimate.shift;
    result.timings.translation_ms = watch.lap_ms();
    return result;
  }

  MatchEvidence evidence() const override {
    MatchEvidence evidence;
    if (!has_evidence_) return evidence;
    for (int k = -rotation_.lags(); k <= rotation_.lags(); ++k) {
      evidence.yaw.push_back(k * rotation_.step());
      evidence.yaw_score.push_back(rotation_.coefficients()[std::size_t(k + rotation_.lags())]);
    }
    evidence.side = translation_.side();
    evidence.metres_per_cell = limits_.metres_per_lag;
    evidence.translation = translation_.surface();
    evidence.shift = {-shift_.row * limits_.metres_per_lag, shift_.column * limits_.metres_per_lag};
    return evidence;
  }

 private:
  CurvePeak rotation_peak(const Image& current, const Image& previous) {
    window(current, current_);
    window(previous, previous_);
    return curve_peak(rotation_.correlate(current_, previous_), config_.peak, config_.yaw_temperature,
                      yaw_lobe(rotation_.step()));
  }

  void look_again(const Image& current, const Image& previous, const CurvePeak& peak, LagEstimate& estimate) {
    second_look_->set_images(current, previous);
    Agreement best = second_look_->climb(estimate.yaw);
    if (peak.ratio > kRival) {
      const Agreement rival = second_look_->search();
      const bool same_top = std::abs(rival.yaw - best.yaw) <= config_.second_look;
      if (!same_top && rival.correlation > best.correlation) best = rival;
    }
    if (best.yaw == estimate.yaw) return;
    estimate.yaw = best.yaw;
    estimate.yaw_variance = config_.second_look * config_.second_look / 12;
  }

  SurfacePosition shift_of(const Surface& surface, const SurfaceMoments& m) const {
    return config_.peak == PeakPolicy::parabola ? parabola_vertex(surface, m.best_row, m.best_column)
                                                : SurfacePosition{m.row / m.weight, m.column / m.weight};
  }

  void window(const Image& image, Image& windowed) const {
    const int n = image.size();
    for (int r = 0; r < n; ++r) {
      const float* in = image.row(r);
      float* out = windowed.row(r);
      for (int c = 0; c < n; ++c) out[c] = in[c] * hann_[std::size_t(r)] * hann_[std::size_t(c)];
    }
  }

  FourierConfig config_;
  std::vector<float> hann_;
  Image current_, previous_;  // windowed
  AngleSearch rotation_;
  TranslationSearch translation_;
  std::optional<SecondLook> second_look_;
  SearchLimits limits_;
  SurfacePosition shift_;  // of the last match
  bool has_evidence_ = false;
};

}  // namespace

void FourierConfig::validate() const {
  const auto require = [](bool good, const char* what) {
    if (!good) throw Error(fmt::format("matching.fourier: {}", what));
  };
  require(angles >= 16 && angles <= 16384, "angles must be from 16 to 16384");
  require(radii_per_frequency >= 1 && radii_per_frequency <= 8, "radii_per_frequency must be from 1 to 8");
  require(oversampling >= 1 && oversampling <= 4, "oversampling must be from 1 to 4");
  require(second_look >= 0 && second_look <= max_yaw, "second_look must be from 0 to max_yaw");
  require(lags_per_pixel >= 1 && lags_per_pixel <= 4, "lags_per_pixel must be from 1 to 4");
  require(low_cut >= 0 && low_cut < high_cut, "low_cut must be at least 0 and below high_cut");
  require(yaw_temperature > 0 && translation_temperature > 0, "temperatures must be above 0");
  require(max_yaw > 0 && max_yaw <= kPi / 2, "max_yaw must be above 0 and at most π/2");
  require(max_translation >= 0 && std::isfinite(max_translation),
          "max_translation must be 0 or a length in metres");
}

std::unique_ptr<Matcher> make_fourier_matcher(const FourierConfig& config, int size,
                                              double metres_per_pixel) {
  config.validate();
  return std::make_unique<FourierMatcher>(config, size, metres_per_pixel);
}

}  // namespace fmbym
