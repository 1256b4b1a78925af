#include <torch/autograd.h>

#include "training/channels_last.hpp"
#include "training/convolution_kernels.hpp"
#include "training/fast_layers.hpp"

namespace fmbym::training {
namespace {

torch::Tensor images_like(const torch::Tensor& images, std::int64_t channels) {
  return empty_images(images.size(0), channels, images.size(2), images.size(3));
}

class Convolve : public torch::autograd::Function<Convolve> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& in,
                               const torch::Tensor& weight) {
    context->save_for_backward({in, weight});
    torch::Tensor out = images_like(in, weight.size(0));
    convolve(size_of(in), in.data_ptr<float>(), {weight.size(0), weight.size(1)}, weight.data_ptr<float>(),
             out.data_ptr<float>());
    return out;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor gradient = channels_last(gradients[0]);
    return {context->needs_input_grad(0) ? by_input(gradient, saved[1]) : torch::Tensor(),
            context->needs_input_grad(1) ? by_weight(gradient, saved[0], saved[1]) : torch::Tensor()};
  }

 private:
  static torch::Tensor by_input(const torch::Tensor& gradient, const torch::Tensor& weight) {
    torch::Tensor out = images_like(gradient, weight.size(1));
    convolve_back(size_of(gradient), gradient.data_ptr<float>(), {weight.size(0), weight.size(1)},
                  weight.data_ptr<float>(), out.data_ptr<float>());
    return out;
  }

  static torch::Tensor by_weight(const torch::Tensor& gradient, const torch::Tensor& in,
                                 const torch::Tensor& weight) {
    torch::Tensor out = at::empty(weight.sizes());
    weight_gradient(size_of(in), in.data_ptr<float>(), gradient.data_ptr<float>(),
                    {weight.size(0), weight.size(1)}, out.data_ptr<float>());
    return out;
  }
};

}  // namespace

torch::Tensor convolve3x3(const torch::Tensor& in, const torch::Tensor& weight) {
  if (!is_fast(in)) return torch::conv2d(in, weight, {}, 1, 1);
  return Convolve::apply(channels_last(in), weight.contiguous());
}

}  // namespace fmbym::training
