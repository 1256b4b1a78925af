#include "training/images.hpp"

#include "training/channels_last.hpp"

namespace fmbym::training {

torch::Tensor made_again(const std::vector<torch::Tensor>& of) {
  return made_again(of, 0, of[0].size(0));
}

torch::Tensor made_again(const std::vector<torch::Tensor>& of, std::int64_t first, std::int64_t count) {
  const auto part = [&](std::size_t i) {
    const torch::Tensor images = channels_last(of[i].narrow(0, first, count));
    return of[i + 1].defined() ? line_relu(images, of[i + 1]) : images;
  };
  return of.size() == 2 ? part(0) : stretched_and_joined(part(0), part(2));
}

}  // namespace fmbym::training
