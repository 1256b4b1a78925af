#include <torch/autograd.h>

#include "training/channels_last.hpp"
#include "training/fast_layers.hpp"
#include "training/resampling_kernels.hpp"

namespace fmbym::training {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

class Pool : public torch::autograd::Function<Pool> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& in, const Images& images_in) {
    context->save_for_backward(images_in.made_of);
    const PooledImages images = images_of(in);
    torch::Tensor out = empty_images(in.size(0), in.size(1), images.rows(), images.columns());
    pool(images, in.data_ptr<float>(), out.data_ptr<float>());
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const torch::Tensor in = made_again(context->get_saved_variables());
    const torch::Tensor gradient = channels_last(gradients[0]);
    torch::Tensor out = empty_images_like(in);
    pool_backward(images_of(in), in.data_ptr<float>(), gradient.data_ptr<float>(), out.data_ptr<float>());
    return {out, torch::Tensor()};
  }

 private:
  static PooledImages images_of(const torch::Tensor& in) { return {size_of(in), in.size(1)}; }
};

JoinedImages joined_size(const torch::Tensor& small, const torch::Tensor& large) {
  return {size_of(small), size_of(large), small.size(1), large.size(1)};
}

class StretchAndJoin : public torch::autograd::Function<StretchAndJoin> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& small,
                               const torch::Tensor& large) {
    context->saved_data["small"] = small.sizes();
    context->saved_data["large"] = large.sizes();
    return stretched_and_joined(small, large);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    torch::Tensor small = empty_images(context->saved_data["small"].toIntVector());
    torch::Tensor large = empty_images(context->saved_data["large"].toIntVector());
    const torch::Tensor gradient = channels_last(gradients[0]);
    stretch_and_join_backward(joined_size(small, large), gradient.data_ptr<float>(), small.data_ptr<float>(),
                              large.data_ptr<float>());
    return {small, large};
  }
};

torch::Tensor plain_stretch_and_join(const torch::Tensor& small, const torch::Tensor& large) {
  const auto stretched = torch::upsample_bilinear2d(small, {large.size(2), large.size(3)}, false);
  return torch::cat({stretched, large}, 1);
}

}  // namespace

torch::Tensor pool2x2(const Images& in) {
  if (!is_fast(in.value) || !fills_vectors(in.value)) return torch::max_pool2d(in.value, 2);
  return Pool::apply(channels_last(in.value), in);
}

torch::Tensor stretched_and_joined(const torch::Tensor& small, const torch::Tensor& large) {
  const JoinedImages size = joined_size(small, large);
  torch::Tensor out = empty_images(large.size(0), size.channels(), large.size(2), large.size(3));
  stretch_and_join(size, small.data_ptr<float>(), large.data_ptr<float>(), out.data_ptr<float>());
  return out;
}

Images stretch_and_join(const Images& small, const Images& large) {
  if (!is_fast(small.value) || !fills_vectors(small.value) || !fills_vectors(large.value))
    return plain_stretch_and_join(small.value, large.value);
  const torch::Tensor joined = StretchAndJoin::apply(channels_last(small.value), channels_last(large.value));
  std::vector<torch::Tensor> of = small.made_of;
  of.insert(of.end(), large.made_of.begin(), large.made_of.end());
  return {joined, std::move(of)};
}

}  // namespace fmbym::training
