#include "matching/angle_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "fmbym/core/error.hpp"
#include "support/synthetic_world.hpp"

namespace fmbym {
namespace {

using testing::SyntheticWorld;
constexpr double kPi = std::numbers::pi;

using Polar = std::vector<std::vector<double>>;  // (radius, angle)

// Stage 1 of Algorithm 1 in plain loops.
class PlainStageOne {
 public:
  PlainStageOne(const FourierConfig& config, int size, double metres_per_pixel)
      : config_(config), n_(friendly_fft_size(config.oversampling * size)) {
    const int count = config.radii_per_frequency * (size + 1) / 2;
    for (int i = 0; i < count; ++i) {
      const double radius = 0.5 * i / (count - 1), frequency = radius / metres_per_pixel;
      if (frequency >= config.low_cut && frequency <= config.high_cut) radii_.push_back(radius * n_);
    }
  }

  // Curve over rotations of 0, 1, … angles-1 steps, modulo half a turn.
  std::vector<double> curve(const Image& f, const Image& g) const {
    const Polar a_f = polar(f), a_g = polar(g);
    std::vector<double> cross = correlate(a_f, a_g);
    const double scale =
        1 / std::sqrt(above_mean(correlate(a_f, a_f))[0] * above_mean(correlate(a_g, a_g))[0]);
    cross = above_mean(cross);
    for (double& c : cross) c *= scale;
    return cross;
  }

 private:
  static std::vector<double> above_mean(std::vector<double> curve) {
    double mean = 0;
    for (const double c : curve) mean += c / double(curve.size());
    for (double& c : curve) c -= mean;
    return curve;
  }

  // |FFT2d|, by rows first; frequencies (row, column) from 0 to n-1.
  std::vector<double> magnitudes(const Image& image) const {
    const auto turn = [&](int k) { return std::polar(1.0, -2 * kPi * (k % n_) / n_); };
    const int size = image.size();
    std::vector<std::complex<double>> rows(std::size_t(size * n_));
    for (int r = 0; r < size; ++r)
      for (int k = 0; k < n_; ++k)
        for (int c = 0; c < size; ++c) rows[std::size_t(r * n_ + k)] += double(image.at(r, c)) * turn(c * k);
    std::vector<double> magnitudes;
    for (int i = 0; i < n_; ++i) {
      for (int k = 0; k < n_; ++k) {
        std::complex<double> sum = 0;
        for (int r = 0; r < size; ++r) sum += rows[std::size_t(r * n_ + k)] * turn(r * i);
        magnitudes.push_back(std::abs(sum));
      }
    }
    return magnitudes;
  }

  // Cart2Pol: bilinear, periodic in both frequencies.
  Polar polar(const Image& image) const {
    const std::vector<double> m = magnitudes(image);
    const auto at = [&](int r, int c) {
      return m[std::size_t(((r % n_ + n_) % n_) * n_ + (c % n_ + n_) % n_)];
    };
    Polar polar;
    for (const double radius : radii_) {
      polar.emplace_back();
      for (int a = 0; a < config_.angles; ++a) {
        const double row = -radius * std::cos(a * kPi / config_.angles),
                     column = radius * std::sin(a * kPi / config_.angles);
        const int r = int(std::floor(row)), c = int(std::floor(column));
        const double v = row - r, u = column - c;
        polar.back().push_back((1 - v) * ((1 - u) * at(r, c) + u * at(r, c + 1)) +
                               v * ((1 - u) * at(r + 1, c) + u * at(r + 1, c + 1)));
      }
    }
    return polar;
  }

  // Circular 2-D correlation at every angle, averaged over every radial shift (Algorithm 1) or at none (Eq.
  // 7).
  std::vector<double> correlate(const Polar& f, const Polar& g) const {
    const std::size_t radii = f.size(), angles = f[0].size();
    const std::size_t radial_shifts = config_.radial == RadialPolicy::mean ? radii : 1;
    std::vector<double> curve(angles);
    for (std::size_t shift = 0; shift < radial_shifts; ++shift)
      for (std::size_t k = 0; k < angles; ++k)
        for (std::size_t r = 0; r < radii; ++r)
          for (std::size_t a = 0; a < angles; ++a)
            curve[k] += f[r][a] * g[(r + shift) % radii][(a + k) % angles] / double(radial_shifts);
    return curve;
  }

  FourierConfig config_;
  int n_;
  std::vector<double> radii_;  // in the band, in steps of the spectrum
};

FourierConfig small_config(RadialPolicy radial) {
  FourierConfig config;
  config.radial = radial;
  config.angles = 45;
  config.low_cut = 0.05;
  return config;
}

TEST(AngleSearch, EqualsThePlainAlgorithm) {
  const int size = 31;
  const auto world = SyntheticWorld::make(18, 2);
  const Image current = world.image({3, 1, 0.4}, size, 1.6), previous = world.image({}, size, 1.6);
  for (const RadialPolicy radial : {RadialPolicy::mean, RadialPolicy::zero_shift}) {
    for (const auto& [radii_per_frequency, oversampling] : {std::pair{1, 1}, {2, 1}, {2, 2}}) {
      FourierConfig config = small_config(radial);
      config.radii_per_frequency = radii_per_frequency;
      config.oversampling = oversampling;
      AngleSearch search(config, size, 1.6);
      const std::vector<float>& fast = search.correlate(current, previous);
      const std::vector<double> plain = PlainStageOne(config, size, 1.6).curve(current, previous);
      ASSERT_EQ(search.lags(), 22);  // 45 angles: all of them
      for (int k = -22; k <= 22; ++k)
        // Float spectra, magnitudes and sums of a thousand of them: a few 1e-6 of the coefficient of 1.
        EXPECT_NEAR(fast[std::size_t(k + 22)], plain[std::size_t((k + 45) % 45)], 2e-5) << k;
    }
  }
}

double best_angle(const AngleSearch& search) {
  const auto& scores = search.coefficients();
  const auto best = static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin());
  return (best - search.lags()) * search.step();
}

class AngleSearchOfBothPolicies : public ::testing::TestWithParam<RadialPolicy> {
 protected:
  FourierConfig config() const {
    FourierConfig config;
    config.radial = GetParam();
    config.angles = 360;  // steps of half a degree
    return config;
  }
  const SyntheticWorld world_ = SyntheticWorld::make(36, 1.2);
  AngleSearch search_{config(), 127, 0.8};
};

TEST_P(AngleSearchOfBothPolicies, PeaksAtTheRotation) {
  const Image previous = world_.image({}, 127, 0.8);
  for (const double degrees : {-60.0, -10.0, -2.5, 0.0, 0.5, 10.0, 60.0}) {
    search_.correlate(world_.image({0, 0, degrees * kPi / 180}, 127, 0.8), previous);
    // Multiples of the step; the pixel grid may tip the balance to a neighbour for the radial mean.
    EXPECT_NEAR(best_angle(search_) * 180 / kPi, degrees, 0.51);
  }
}

TEST_P(AngleSearchOfBothPolicies, CoefficientOfIdenticalImagesIsOne) {
  const Image image = world_.image({}, 127, 0.8);
  const auto& scores = search_.correlate(image, image);
  EXPECT_NEAR(scores[std::size_t(search_.lags())], 1, 1e-5);  // float sums over 360 angles and 100 radii
  EXPECT_EQ(best_angle(search_), 0);
}

TEST_P(AngleSearchOfBothPolicies, DoesNotSeeTranslation) {
  const Image previous = world_.image({}, 127, 0.8);
  const std::vector<float> still = search_.correlate(world_.image({0, 0, 0.1}, 127, 0.8), previous);
  // Whole pixels of the current image, so that its samples are the same: 5 and -3 pixels in its own frame.
  const SE2 moved = SE2{0, 0, 0.1} * SE2{5 * 0.8, -3 * 0.8, 0};
  const std::vector<float> moving = search_.correlate(world_.image(moved, 127, 0.8), previous);
  for (std::size_t i = 0; i < still.size(); ++i)
    ASSERT_NEAR(still[i], moving[i], 1e-4);  // blobs end at 5 widths
}

TEST_P(AngleSearchOfBothPolicies, DarkImagesScoreZero) {
  for (const float score : search_.correlate(Image(127, 0.8), Image(127, 0.8))) ASSERT_EQ(score, 0);
}

INSTANTIATE_TEST_SUITE_P(Policies, AngleSearchOfBothPolicies,
                         ::testing::Values(RadialPolicy::mean, RadialPolicy::zero_shift),
                         [](const auto& test) {
                           return test.param == RadialPolicy::mean ? "Mean" : "ZeroShift";
                         });

TEST(AngleSearch, SearchesWithinItsLimit) {
  FourierConfig config;
  config.angles = 360;
  config.max_yaw = kPi / 18;
  const AngleSearch search(config, 63, 0.8);
  EXPECT_EQ(search.lags(), 20);
  EXPECT_DOUBLE_EQ(search.step(), kPi / 360);
}

TEST(AngleSearch, RefusesABandWithoutFrequencies) {
  FourierConfig config;
  config.low_cut = 2;  // cycles a metre, beyond Nyquist at 0.8 m a pixel
  config.high_cut = 3;
  EXPECT_THROW(AngleSearch(config, 63, 0.8), Error);
}

}  // namespace
}  // namespace fmbym
