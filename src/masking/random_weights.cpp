#include <fmt/format.h>

#include <cmath>

#include "fmbym/masking/mask_model.hpp"

namespace fmbym {
namespace {

// SplitMix64. The distributions of the standard library differ from one to the next.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // Uniform in ±limit, by one rounding: two might become one on machines that fuse products and sums.
  float within(double limit) {
    const auto fraction = static_cast<double>(next() >> 12) * 0x1p-52;
    return static_cast<float>(limit * (2 * fraction - 1));
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  std::uint64_t state_;
};

Tensor uniform_tensor(std::vector<std::int64_t> shape, float middle, double limit, Random& random) {
  std::int64_t size = 1;
  for (const std::int64_t length : shape) size *= length;
  std::vector<float> values(static_cast<std::size_t>(size));
  for (float& value : values) value = middle + random.within(limit);
  return make_tensor(TensorType::f32, std::move(shape), values);
}

// After He et al.: with a variance of 2 / inputs, convolution and ReLU keep the mean square.
Tensor he_weights(const ConvolutionShape& convolution, Random& random) {
  const double limit = std::sqrt(3 * 2.0 / (9 * convolution.in));  // a uniform variance is limit² / 3
  return uniform_tensor({convolution.out, convolution.in, 3, 3}, 0, limit, random);
}

void put_norm(TensorFile& file, const ConvolutionShape& convolution, Random& random) {
  const auto put = [&](const char* tensor, float middle, double limit) {
    file.tensors[fmt::format("{}.{}", convolution.norm(), tensor)] =
        uniform_tensor({convolution.out}, middle, limit, random);
  };
  put("weight", 1, 0.1);
  put("bias", 0, 0.1);
  put("running_mean", 0, 0.1);
  put("running_var", 1, 0.2);
}

}  // namespace

TensorFile random_weights(std::uint64_t seed, int resolution) {
  ModelInfo info;
  info.resolution = resolution;
  info.metres_per_pixel = 0.4 * 256 / (resolution + 1);  // the paper's
  info.training_data = fmt::format("none: random weights of seed {}", seed);
  TensorFile file{to_metadata(info), {}};
  Random random(seed);
  for (const ConvolutionShape& convolution : convolutions()) {
    file.tensors[convolution.name + ".weight"] = he_weights(convolution, random);
    if (convolution.normalised)
      put_norm(file, convolution, random);
    else
      file.tensors[convolution.name + ".bias"] = uniform_tensor({convolution.out}, 0, 0.1, random);
  }
  return file;
}

MaskModel random_model(std::uint64_t seed, int resolution) {
  return parse_model(random_weights(seed, resolution), "random weights");
}

}  // namespace fmbym
