#include <torch/autograd.h>

#include <cmath>
#include <span>

#include "training/channels_last.hpp"
#include "training/fast_layers.hpp"
#include "training/normalise_kernels.hpp"

namespace fmbym::training {
namespace {

std::span<float> values(const torch::Tensor& tensor) {
  return {tensor.data_ptr<float>(), std::size_t(tensor.numel())};
}

std::int64_t pixels_of(const torch::Tensor& images) {
  return images.numel() / images.size(1);
}

// What the norm does to each channel: (4, channel).
class Channels {
 public:
  explicit Channels(torch::Tensor rows) : rows_(std::move(rows)) {}
  Channels(const ChannelStatistics& statistics, const torch::Tensor& gain, const torch::Tensor& bias,
           double epsilon)
      : rows_(at::empty({4, gain.numel()})) {
    for (std::size_t c = 0; c < statistics.mean.size(); ++c) {
      const double inverse = 1 / std::sqrt(statistics.variance[c] + epsilon);
      const double slope = double{values(gain)[c]} * inverse;
      mean()[c] = float(statistics.mean[c]);
      inverse_deviation()[c] = float(inverse);
      scale()[c] = float(slope);
      shift()[c] = float(double{values(bias)[c]} - statistics.mean[c] * slope);
    }
  }

  const torch::Tensor& rows() const { return rows_; }
  std::span<float> mean() const { return row(0); }
  std::span<float> inverse_deviation() const { return row(1); }
  std::span<float> scale() const { return row(2); }
  std::span<float> shift() const { return row(3); }
  ChannelLine line() const { return {scale(), shift()}; }
  torch::Tensor line_rows() const { return rows_.narrow(0, 2, 2); }

 private:
  std::span<float> row(std::size_t index) const {
    const std::size_t count = values(rows_).size() / 4;
    return values(rows_).subspan(index * count, count);
  }

  torch::Tensor rows_;
};

struct NormGradients {
  torch::Tensor in, gain, bias;
};

NormGradients norm_gradients(const torch::Tensor& in, const torch::Tensor& gradient,
                             const Channels& channels) {
  const std::int64_t pixels = pixels_of(in);
  const float* x = in.data_ptr<float>();
  const float* g = gradient.data_ptr<float>();
  const ChannelSums sums = passed_sums(x, g, channels.line(), pixels, channels.mean());
  const std::size_t count = sums.gradient.size();
  NormGradients out{empty_images_like(in), at::empty(std::int64_t(count)), at::empty(std::int64_t(count))};
  std::vector<float> slope(count), offset(count);
  for (std::size_t c = 0; c < count; ++c) {
    const double inverse = double{channels.inverse_deviation()[c]}, scale = double{channels.scale()[c]};
    const double steepness = -scale * inverse * inverse * sums.gradient_times_in[c] / double(pixels);
    values(out.gain)[c] = float(sums.gradient_times_in[c] * inverse);
    values(out.bias)[c] = float(sums.gradient[c]);
    slope[c] = float(steepness);
    offset[c] = float(-scale * sums.gradient[c] / double(pixels) - steepness * double{channels.mean()[c]});
  }
  line_relu_backward(x, g, channels.line(), slope, offset, pixels, out.in.data_ptr<float>());
  return out;
}

// The input is kept, not the output: where the ReLU let pass follows from it.
class NormaliseRelu : public torch::autograd::Function<NormaliseRelu> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& in,
                               const torch::Tensor& /*gain*/, const torch::Tensor& /*bias*/,
                               const torch::Tensor& channels) {
    context->save_for_backward({in, channels});
    return line_relu(in, Channels(channels).line_rows());
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    NormGradients found = norm_gradients(saved[0], channels_last(gradients[0]), Channels(saved[1]));
    return {found.in, found.gain, found.bias, torch::Tensor()};
  }
};

void join_running(torch::nn::BatchNorm2dImpl& norm, const ChannelStatistics& batch, std::int64_t pixels) {
  const double momentum = norm.options.momentum().value();
  const double unbiased = double(pixels) / double(pixels - 1);
  for (std::size_t c = 0; c < batch.mean.size(); ++c) {
    float& mean = values(norm.running_mean)[c];
    float& variance = values(norm.running_var)[c];
    mean = float((1 - momentum) * double{mean} + momentum * batch.mean[c]);
    variance = float((1 - momentum) * double{variance} + momentum * unbiased * batch.variance[c]);
  }
  norm.num_batches_tracked.add_(1);
}

ChannelStatistics running(const torch::nn::BatchNorm2dImpl& norm) {
  const auto mean = values(norm.running_mean), variance = values(norm.running_var);
  return {{mean.begin(), mean.end()}, {variance.begin(), variance.end()}};
}

Images normalise_relu_training(torch::nn::BatchNorm2dImpl& norm, const torch::Tensor& in) {
  const ChannelStatistics batch = channel_statistics(in.data_ptr<float>(), pixels_of(in), in.size(1));
  join_running(norm, batch, pixels_of(in));
  const Channels channels(batch, norm.weight, norm.bias, norm.options.eps());
  return {NormaliseRelu::apply(in, norm.weight, norm.bias, channels.rows()), {in, channels.line_rows()}};
}

}  // namespace

torch::Tensor line_relu(const torch::Tensor& in, const torch::Tensor& line) {
  const std::span<const float> numbers = values(line);
  const std::size_t channels = numbers.size() / 2;
  torch::Tensor out = empty_images_like(in);
  line_relu(in.data_ptr<float>(), {numbers.first(channels), numbers.last(channels)}, pixels_of(in),
            out.data_ptr<float>());
  return out;
}

Images normalise_relu(torch::nn::BatchNorm2dImpl& norm, const torch::Tensor& in) {
  const bool fits = is_fast(in) && fills_vectors(in) && pixels_of(in) > 1;
  // Gradients through fixed statistics are not worth code of their own.
  const bool fixed_with_gradients = !norm.is_training() && torch::GradMode::is_enabled();
  if (!fits || fixed_with_gradients) return norm.forward(in).relu_();
  if (norm.is_training()) return normalise_relu_training(norm, channels_last(in));
  const Channels channels(running(norm), norm.weight, norm.bias, norm.options.eps());
  return line_relu(channels_last(in), channels.line_rows());
}

}  // namespace fmbym::training
