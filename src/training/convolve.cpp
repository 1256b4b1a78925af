#include <torch/autograd.h>

#include <algorithm>

#include "training/channels_last.hpp"
#include "training/convolution_kernels.hpp"
#include "training/fast_layers.hpp"

namespace fmbym::training {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kPixelsAtOnce = 1 << 16;  // as many as an image of 255 by 255 has

torch::Tensor images_like(const torch::Tensor& images, std::int64_t channels) {
  return empty_images(images.size(0), channels, images.size(2), images.size(3));
}

class Convolve : public torch::autograd::Function<Convolve> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& in, const torch::Tensor& weight,
                               const Images& images) {
    variable_list kept = images.made_of;
    kept.push_back(weight);
    context->save_for_backward(std::move(kept));
    torch::Tensor out = images_like(in, weight.size(0));
    convolve(size_of(in), in.data_ptr<float>(), {weight.size(0), weight.size(1)}, weight.data_ptr<float>(),
             out.data_ptr<float>());
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    auto made_of = context->get_saved_variables();
    const torch::Tensor weight = made_of.back(), gradient = channels_last(gradients[0]);
    made_of.pop_back();
    variable_list found(3);
    if (context->needs_input_grad(1)) found[1] = by_weight(gradient, made_of, weight);
    if (context->needs_input_grad(0)) found[0] = by_input(gradient, weight);
    return found;
  }

 private:
  static torch::Tensor by_input(const torch::Tensor& gradient, const torch::Tensor& weight) {
    torch::Tensor out = images_like(gradient, weight.size(1));
    convolve_back(size_of(gradient), gradient.data_ptr<float>(), {weight.size(0), weight.size(1)},
                  weight.data_ptr<float>(), out.data_ptr<float>());
    return out;
  }

  // So many images at a time that those made again stay in the cache.
  static torch::Tensor by_weight(const torch::Tensor& gradient, const variable_list& made_of,
                                 const torch::Tensor& weight) {
    const std::int64_t batch = gradient.size(0), pixels = gradient.size(2) * gradient.size(3);
    const std::int64_t at_once = std::max<std::int64_t>(1, kPixelsAtOnce / pixels);
    torch::Tensor sum = at::zeros(weight.sizes()), part = at::empty(weight.sizes());
    for (std::int64_t first = 0; first < batch; first += at_once) {
      const std::int64_t count = std::min(at_once, batch - first);
      const torch::Tensor in = made_again(made_of, first, count);
      weight_gradient(size_of(in), in.data_ptr<float>(), gradient.narrow(0, first, count).data_ptr<float>(),
                      {weight.size(0), weight.size(1)}, part.data_ptr<float>());
      sum += part;
    }
    return sum;
  }
};

}  // namespace

torch::Tensor convolve3x3(const Images& in, const torch::Tensor& weight) {
  if (!is_fast(in.value)) return torch::conv2d(in.value, weight, {}, 1, 1);
  return Convolve::apply(channels_last(in.value), weight.contiguous(), in);
}

}  // namespace fmbym::training
