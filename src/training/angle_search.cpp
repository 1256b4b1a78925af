#include "training/angle_search.hpp"

#include <torch/fft.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "fft/fft.hpp"
#include "matching/angle_search.hpp"
#include "training/correlation.hpp"

namespace fmbym::training {
namespace {

// A sparse matrix in the making.
class SamplingMatrix {
 public:
  void add(std::int64_t row, std::int64_t column, double weight) {
    rows_.push_back(row);
    columns_.push_back(column);
    weights_.push_back(weight);
  }

  torch::Tensor tensor(std::int64_t rows, std::int64_t columns, const torch::TensorOptions& options) const {
    const torch::Tensor places = torch::stack({torch::tensor(rows_), torch::tensor(columns_)});
    const torch::Tensor weights = torch::tensor(weights_, torch::kDouble);
    return torch::sparse_coo_tensor(places, weights, {rows, columns}).coalesce().to(options);
  }

 private:
  std::vector<std::int64_t> rows_, columns_;
  std::vector<double> weights_;
};

// Angles run from the x axis (up, falling rows) to the y axis (right, rising columns) and on, over half a
// turn. Row frequencies are those of the transform, from 0 up to Nyquist and on from -Nyquist.
torch::Tensor polar_sampling(const std::vector<double>& radii, int angles, RadialPolicy radial, int n,
                             const torch::TensorOptions& options) {
  const int columns = spectrum_columns(n);
  SamplingMatrix matrix;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const std::int64_t first = radial == RadialPolicy::mean ? 0 : std::int64_t(i) * angles;
    for (int a = 0; a < angles; ++a) {
      const double angle = a * std::numbers::pi / angles;
      const double row = n / 2.0 - radii[i] * n * std::cos(angle), column = radii[i] * n * std::sin(angle);
      const int r = std::clamp(static_cast<int>(row), 0, n - 1),
                c = std::clamp(static_cast<int>(column), 0, columns - 2);
      const double down = row - r, right = column - c;
      const auto cell = [&](int rr, int cc) { return std::int64_t((rr + n / 2) % n) * columns + cc; };
      matrix.add(first + a, cell(r, c), (1 - down) * (1 - right));
      matrix.add(first + a, cell(r, c + 1), (1 - down) * right);
      matrix.add(first + a, cell(r + 1, c), down * (1 - right));
      matrix.add(first + a, cell(r + 1, c + 1), down * right);
    }
  }
  const std::int64_t rows = radial == RadialPolicy::mean ? 1 : std::int64_t(radii.size());
  return matrix.tensor(rows * angles, std::int64_t(n) * columns, options);
}

}  // namespace

AngleSearch::AngleSearch(const FourierConfig& config, int size, double metres_per_pixel,
                         const torch::TensorOptions& options)
    : angles_(config.angles),
      lags_(max_lag_angles(config)),
      step_(std::numbers::pi / config.angles),
      fft_size_(friendly_fft_size(config.oversampling * size)) {
  const std::vector<double> radii = radii_in_band(config, size, metres_per_pixel);
  rows_ = config.radial == RadialPolicy::mean ? 1 : static_cast<int>(radii.size());
  sampling_ = polar_sampling(radii, angles_, config.radial, fft_size_, options);
}

// (2·batch, n, n) → (2·batch, row, angle)
torch::Tensor AngleSearch::polar_spectra(const torch::Tensor& images) const {
  const std::int64_t padding = fft_size_ - images.size(-1);
  const torch::Tensor magnitudes =
      spectrum_of(torch::constant_pad_nd(images, {0, padding, 0, padding})).abs();
  const torch::Tensor polar = torch::mm(sampling_, magnitudes.flatten(1).t().contiguous());
  return polar.t().contiguous().view({-1, rows_, angles_});
}

// c[k] = Σ_r Σ_a f[r, a] g[r, a + k], round half a turn: WrapPad of Algorithm 1.
torch::Tensor AngleSearch::correlate(const torch::Tensor& current, const torch::Tensor& previous) const {
  torch::Tensor polar = polar_spectra(torch::cat({current, previous}));
  polar = unit_energy(polar - polar.mean(2, true));
  const auto angular = torch::fft::rfft(polar).chunk(2);
  const torch::Tensor cross = (angular[0].conj() * angular[1]).sum(1);
  const torch::Tensor curve = torch::fft::irfft(cross, angles_);
  return torch::cat({curve.narrow(1, angles_ - lags_, lags_), curve.narrow(1, 0, lags_ + 1)}, 1);
}

}  // namespace fmbym::training
