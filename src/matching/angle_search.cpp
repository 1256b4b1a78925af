#include "matching/angle_search.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "fmbym/core/error.hpp"

namespace fmbym {
namespace {

constexpr double kPi = std::numbers::pi;

}  // namespace

std::vector<double> radii_in_band(const FourierConfig& config, int size, double metres_per_pixel) {
  const double low = config.low_cut * metres_per_pixel,
               high = std::min(0.5, config.high_cut * metres_per_pixel);
  const int count = config.radii_per_frequency * (size + 1) / 2;
  std::vector<double> radii;
  for (int i = 0; i < count; ++i) {
    const double radius = 0.5 * i / (count - 1);
    if (radius >= low && radius <= high) radii.push_back(radius);
  }
  if (radii.empty())
    throw Error(fmt::format(
        "matching.fourier: no frequency from low_cut {} to high_cut {} cycles a metre in pixels of {} m",
        config.low_cut, config.high_cut, metres_per_pixel));
  return radii;
}

int max_lag_angles(const FourierConfig& config) {
  return std::min((config.angles - 1) / 2, static_cast<int>(config.max_yaw / kPi * config.angles));
}

AngleSearch::AngleSearch(const FourierConfig& config, int size, double metres_per_pixel)
    : AngleSearch(config, size, radii_in_band(config, size, metres_per_pixel)) {}

AngleSearch::AngleSearch(const FourierConfig& config, int size, const std::vector<double>& radii)
    : size_(size),
      angles_(config.angles),
      radii_(static_cast<int>(radii.size())),
      rows_(config.radial == RadialPolicy::mean ? 1 : radii_),
      lags_(max_lag_angles(config)),
      step_(kPi / config.angles),
      fft_size_(friendly_fft_size(config.oversampling * size)),
      fft_(fft_size_, {0, size}),
      angle_fft_(friendly_fft_size(angles_ + 2 * lags_), rows_),
      curve_fft_(angle_fft_.length(), 1),
      padded_(image_count(fft_size_)),
      current_spectrum_(spectrum_count(fft_size_)),
      previous_spectrum_(current_spectrum_.size()),
      magnitudes_(std::size_t(spectrum_columns(fft_size_)) * std::size_t(fft_size_ + 1)),
      current_polar_(std::size_t(rows_) * std::size_t(angle_fft_.length())),
      previous_polar_(current_polar_.size()),
      current_angular_(std::size_t(rows_) * std::size_t(angle_fft_.bins())),
      previous_angular_(current_angular_.size()),
      cross_(std::size_t(curve_fft_.bins())),
      curve_(std::size_t(curve_fft_.length())),
      coefficients_(std::size_t(2 * lags_ + 1)) {
  build_samples(radii);
}

// The spectrum of a real image is point-symmetric, so half a turn holds all of it. Angles run from the x axis
// (up, falling rows) to the y axis (right, rising columns) and on.
void AngleSearch::build_samples(const std::vector<double>& radii) {
  const int n = fft_size_, columns = spectrum_columns(n);
  for (const double radius : radii) {
    for (int a = 0; a < angles_; ++a) {
      const double row = n / 2.0 - radius * n * std::cos(a * step_);
      const double column = radius * n * std::sin(a * step_);
      const int r = std::clamp(static_cast<int>(row), 0, n - 1),
                c = std::clamp(static_cast<int>(column), 0, columns - 2);
      samples_.push_back({c * (n + 1) + r, static_cast<float>(row - r), static_cast<float>(column - c)});
    }
  }
}

const std::vector<float>& AngleSearch::correlate(const Image& current, const Image& previous) {
  load(current, current_spectrum_);
  load(previous, previous_spectrum_);
  take_magnitudes();
  sample_polar();
  double current_energy = 0, previous_energy = 0;
  for (int row = 0; row < rows_; ++row) {
    current_energy += remove_mean(current_polar_.data() + std::ptrdiff_t(row) * angle_fft_.length());
    previous_energy +=
        remove_mean(previous_polar_.data() + std::ptrdiff_t(row) * angle_fft_.length() + lags_);
  }
  pad_rows();
  cross_correlate(std::sqrt(current_energy * previous_energy));
  return coefficients_;
}

void AngleSearch::load(const Image& image, FftBuffer<Complex>& spectrum) {
  for (int r = 0; r < size_; ++r)
    std::copy_n(image.row(r), size_, padded_.data() + std::ptrdiff_t(r) * fft_size_);
  fft_(padded_, spectrum);
}

// Row frequencies are shifted so that 0 is in the middle; the last repeats the first, a period later.
void AngleSearch::take_magnitudes() {
  const int n = fft_size_;
  const auto magnitude = [](Complex z) { return std::sqrt(z.real() * z.real() + z.imag() * z.imag()); };
  for (int c = 0; c < spectrum_columns(n); ++c) {
    const Complex* f = current_spectrum_.data() + std::ptrdiff_t(c) * n;
    const Complex* g = previous_spectrum_.data() + std::ptrdiff_t(c) * n;
    Pair* out = magnitudes_.data() + std::ptrdiff_t(c) * (n + 1);
    for (int r = 0; r < n / 2; ++r) out[r] = {magnitude(f[r + n / 2]), magnitude(g[r + n / 2])};
    for (int r = n / 2; r <= n; ++r) out[r] = {magnitude(f[r - n / 2]), magnitude(g[r - n / 2])};
  }
}

void AngleSearch::sample_polar() {
  std::fill(current_polar_.begin(), current_polar_.end(), 0.f);
  std::fill(previous_polar_.begin(), previous_polar_.end(), 0.f);
  const Sample* sample = samples_.data();
  for (int i = 0; i < radii_; ++i) {
    const std::ptrdiff_t row = std::ptrdiff_t(rows_ == 1 ? 0 : i) * angle_fft_.length();
    float* f = current_polar_.data() + row;
    float* g = previous_polar_.data() + row + lags_;
    for (int a = 0; a < angles_; ++a, ++sample) {
      // Two neighbours at a time, current and previous: a vector of four.
      const float* corner = &magnitudes_[std::size_t(sample->corner)].current;
      const Eigen::Array4f here = Eigen::Array4f::Map(corner),
                           next = Eigen::Array4f::Map(corner + 2 * (fft_size_ + 1));
      const Eigen::Array4f mixed = here + sample->right * (next - here);
      f[a] += mixed[0] + sample->down * (mixed[2] - mixed[0]);
      g[a] += mixed[1] + sample->down * (mixed[3] - mixed[1]);
    }
  }
}

double AngleSearch::remove_mean(float* row) const {
  Eigen::Map<Eigen::ArrayXf> values(row, angles_);
  values -= values.mean();
  return values.square().sum();
}

// WrapPad of Algorithm 1: half a turn on, the spectrum begins anew.
void AngleSearch::pad_rows() {
  for (int row = 0; row < rows_; ++row) {
    float* g = previous_polar_.data() + std::ptrdiff_t(row) * angle_fft_.length();
    std::copy_n(g + angles_, lags_, g);
    std::copy_n(g + lags_, lags_, g + lags_ + angles_);
  }
}

// The sum over the rows of c[k] = Σ_a f[a] g[a+k], as a correlation coefficient.
void AngleSearch::cross_correlate(double energy) {
  using Spectrum = Eigen::Map<const Eigen::ArrayXcf>;
  angle_fft_.forward(current_polar_, current_angular_);
  angle_fft_.forward(previous_polar_, previous_angular_);
  const int bins = angle_fft_.bins();
  Eigen::Map<Eigen::ArrayXcf> cross(cross_.data(), bins);
  cross.setZero();
  for (int row = 0; row < rows_; ++row) {
    const std::ptrdiff_t first = std::ptrdiff_t(row) * bins;
    cross += Spectrum(current_angular_.data() + first, bins).conjugate() *
             Spectrum(previous_angular_.data() + first, bins);
  }
  curve_fft_.inverse(cross_, curve_);
  const double scale = energy > std::numeric_limits<float>::min() ? 1 / (energy * curve_fft_.length()) : 0;
  std::transform(curve_.data(), curve_.data() + coefficients_.size(), coefficients_.begin(),
                 [scale = static_cast<float>(scale)](float c) { return c * scale; });
}

}  // namespace fmbym
