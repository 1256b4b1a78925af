#include "training/refinement.hpp"

#include <torch/utils.h>

#include <limits>

#include "training/spline_correlation.hpp"

namespace fmbym::training {
namespace {

constexpr double kSmallStep = 1e-5;  // [pixel], also at the rim of the image
constexpr double kLargestStep = 3;   // [pixel], likewise
constexpr double kFlat = 1e-4;       // of the sharpest curvature: along what bends less there is no peak

// Symmetric matrices (batch, 3, 3) by their eigenvalues, ascending, and eigenvectors, in columns.
struct EigenSystem {
  torch::Tensor values, vectors;

  explicit EigenSystem(const torch::Tensor& matrices) {
    std::tie(values, vectors) = torch::linalg_eigh(matrices);
  }

  // The vectors (batch, 3) divided along each eigenvector: V · diag(1 / divisors) · Vᵀ · v.
  torch::Tensor divide(const torch::Tensor& v, const torch::Tensor& divisors) const {
    const torch::Tensor along = (vectors * v.unsqueeze(2)).sum(1) / divisors;
    return (vectors * along.unsqueeze(1)).sum(2);
  }
};

torch::Tensor length_of(const torch::Tensor& moves) {
  return moves.abs().amax(1, true);
}

// Newton's step near a peak; elsewhere too it leads uphill, as each curvature counts by its size.
torch::Tensor uphill(const SplineCorrelation::Derivatives& slope, const torch::Tensor& damping) {
  const EigenSystem eigen(slope.hessian);
  const torch::Tensor size = eigen.values.abs();
  const torch::Tensor least = (kFlat * size.amax(1, true)).clamp_min(std::numeric_limits<float>::min());
  const torch::Tensor move = eigen.divide(slope.gradient, torch::maximum(size, least) * (1 + damping));
  return move * (kLargestStep / length_of(move).clamp_min(kLargestStep));
}

struct Peak {
  torch::Tensor pose;  // [pixel]
  SplineCorrelation::Derivatives slope;
};

// Levenberg's damping grows while a step does not climb.
Peak climbed(const SplineCorrelation& correlation, const torch::Tensor& start, int steps) {
  Peak peak{start, correlation.derivatives(start)};
  torch::Tensor damping = torch::zeros_like(peak.slope.value);
  for (int step = 0; step < steps; ++step) {
    const torch::Tensor move = uphill(peak.slope, damping);
    if (length_of(move).max().item<double>() < kSmallStep) break;
    const torch::Tensor next = peak.pose + move;
    const auto found = correlation.derivatives(next);
    const torch::Tensor better = found.value > peak.slope.value;
    peak.pose = torch::where(better, next, peak.pose);
    peak.slope.value = torch::where(better, found.value, peak.slope.value);
    peak.slope.gradient = torch::where(better, found.gradient, peak.slope.gradient);
    peak.slope.hessian = torch::where(better.unsqueeze(2), found.hessian, peak.slope.hessian);
    damping = torch::where(better, damping / 4, (4 * damping).clamp_min(1));
  }
  return peak;
}

}  // namespace

Refinement::Refinement(int size, double metres_per_pixel, const torch::TensorOptions& options)
    : unit_(torch::tensor({metres_per_pixel, metres_per_pixel, 1 / SplineCorrelation::rim(size)},
                          torch::kDouble)
                .to(options)) {}

torch::Tensor Refinement::climb(const torch::Tensor& current, const torch::Tensor& previous,
                                const torch::Tensor& start, int steps) const {
  const SplineCorrelation correlation(current, previous);
  const torch::Tensor pose = start.detach() / unit_;
  const Peak peak = [&] {
    const torch::NoGradGuard no_gradients;
    return climbed(correlation, pose, steps);
  }();
  const EigenSystem eigen(-peak.slope.hessian);
  const torch::Tensor sharp =
      eigen.values.narrow(1, 0, 1) > (kFlat * eigen.values.narrow(1, 2, 1)).clamp_min(0);
  const torch::Tensor curvature = torch::where(sharp, eigen.values, torch::ones_like(eigen.values));
  const torch::Tensor move = eigen.divide(correlation.gradient(peak.pose), curvature);
  const torch::Tensor found = sharp & (length_of(move.detach()) < kLargestStep);
  return torch::where(found, peak.pose + move, pose) * unit_;
}

}  // namespace fmbym::training
