#include "training/correlation.hpp"

#include <torch/autograd.h>
#include <torch/fft.h>

#include <limits>

namespace fmbym::training {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct RealSpectrum : torch::autograd::Function<RealSpectrum> {
  static torch::Tensor forward(AutogradContext*, const torch::Tensor& images) {
    return torch::fft::rfft2(images);
  }

  // The adjoint: Re Σ_k gradient(k) exp(i k x) over the half of the frequencies that there are. The inverse
  // real transform counts all columns but the first and the last twice.
  static variable_list backward(AutogradContext*, const variable_list& gradients) {
    torch::Tensor gradient = gradients[0].clone();
    const std::int64_t n = gradient.size(-2);
    gradient.narrow(-1, 1, n / 2 - 1).mul_(0.5);
    return {torch::fft::irfft2(gradient, {{n, n}}, {-2, -1}, "forward")};
  }
};

}  // namespace

torch::Tensor spectrum_of(const torch::Tensor& images) {
  return RealSpectrum::apply(images);
}

torch::Tensor unit_energy(const torch::Tensor& images) {
  const torch::Tensor energy = images.square().sum({-2, -1}, true);
  const torch::Tensor seen = energy.detach() > std::numeric_limits<float>::min();
  return images * torch::where(seen, energy, torch::ones_like(energy)).rsqrt() * seen;
}

}  // namespace fmbym::training
