// Every fast layer does what torch's operator does: outputs, gradients and running statistics.
#include "training/fast_layers.hpp"

#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/nn/functional.h>
#include <torch/nn/init.h>
#include <torch/utils.h>

#include <thread>
#include <utility>

#include "training/plain_network.hpp"

namespace fmbym::training {
namespace {

namespace F = torch::nn::functional;

torch::Tensor random_images(std::int64_t channels, std::int64_t size, std::int64_t batch = 3) {
  return torch::randn({batch, channels, size, size}).contiguous(at::MemoryFormat::ChannelsLast);
}

// The largest difference, as a part of the largest value.
double difference(const torch::Tensor& found, const torch::Tensor& expected) {
  EXPECT_EQ(found.sizes(), expected.sizes());
  return ((found - expected).abs().max() / expected.abs().max()).item<double>();
}

struct Layer {
  std::int64_t in, out, size;
};
std::ostream& operator<<(std::ostream& out, const Layer& layer) {
  return out << layer.in << " to " << layer.out << " channels at " << layer.size;
}

class Convolve : public ::testing::TestWithParam<Layer> {};

// Winograd's way rounds larger numbers than those that come out: a few times more than plain sums do, which
// lose some parts in 10⁷. The weight's gradients are sums over all pixels that mostly cancel.
constexpr double kConvolutionTolerance = 2e-5, kWeightTolerance = 1e-4;

TEST_P(Convolve, IsTorchs) {
  torch::manual_seed(7);
  const auto& [in, out, size] = GetParam();
  const torch::Tensor images = random_images(in, size).requires_grad_();
  const torch::Tensor weight = torch::randn({out, in, 3, 3}).requires_grad_();
  const torch::Tensor gradient = random_images(out, size);
  const torch::Tensor found = convolve3x3(images, weight), expected = torch::conv2d(images, weight, {}, 1, 1);
  EXPECT_LT(difference(found, expected), kConvolutionTolerance);
  const auto found_gradients = torch::autograd::grad({found}, {images, weight}, {gradient});
  const auto expected_gradients = torch::autograd::grad({expected}, {images, weight}, {gradient});
  EXPECT_LT(difference(found_gradients[0], expected_gradients[0]), kConvolutionTolerance);
  EXPECT_LT(difference(found_gradients[1], expected_gradients[1]), kWeightTolerance);
}

// The weight's gradient of the last two is taken in parts: an image at a time, and two and then the third.
INSTANTIATE_TEST_SUITE_P(Layers, Convolve,
                         ::testing::Values(Layer{2, 8, 127}, Layer{8, 8, 127}, Layer{24, 8, 127},
                                           Layer{8, 2, 127}, Layer{24, 8, 50}, Layer{8, 16, 63},
                                           Layer{48, 16, 63}, Layer{96, 32, 31}, Layer{192, 64, 15},
                                           Layer{384, 128, 7}, Layer{128, 256, 3}, Layer{256, 256, 3},
                                           Layer{5, 11, 9}, Layer{8, 8, 1}, Layer{8, 8, 255},
                                           Layer{24, 8, 151}));

struct Shape {
  std::int64_t channels, size;
};
std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << shape.channels << " channels at " << shape.size;
}

// Sums over the batch round differently: a few parts in 10⁷ each, and they cancel in the gradients.
constexpr double kNormTolerance = 3e-5;

class NormaliseRelu : public ::testing::TestWithParam<Shape> {
 protected:
  void SetUp() override {
    torch::manual_seed(7);
    torch::nn::init::uniform_(fast->weight, -1, 2);
    torch::nn::init::normal_(fast->bias);
    plain->weight = fast->weight.detach().clone().requires_grad_();
    plain->bias = fast->bias.detach().clone().requires_grad_();
  }

  torch::nn::BatchNorm2d fast{GetParam().channels}, plain{GetParam().channels};
  // Off zero, as convolutions leave it.
  torch::Tensor in = 3 * random_images(GetParam().channels, GetParam().size) + 2;
};

TEST_P(NormaliseRelu, IsTorchsInTraining) {
  // A value that rounds to either side of zero would pass in one alone.
  const torch::Tensor gradient = torch::randn_like(in) * (plain->forward(in).abs() > 1e-5);
  plain->running_mean.zero_();
  plain->running_var.fill_(1);
  plain->num_batches_tracked.zero_();
  const torch::Tensor fast_in = in.clone().requires_grad_(), plain_in = in.clone().requires_grad_();
  const torch::Tensor found = normalise_relu(*fast, fast_in).value;
  const torch::Tensor expected = plain->forward(plain_in).relu_();
  found.backward(gradient);
  expected.backward(gradient);
  EXPECT_LT(difference(found, expected), kNormTolerance);
  EXPECT_LT(difference(fast_in.grad(), plain_in.grad()), kNormTolerance);
  EXPECT_LT(difference(fast->weight.grad(), plain->weight.grad()), kNormTolerance);
  EXPECT_LT(difference(fast->bias.grad(), plain->bias.grad()), kNormTolerance);
  EXPECT_LT(difference(fast->running_mean, plain->running_mean), kNormTolerance);
  EXPECT_LT(difference(fast->running_var, plain->running_var), kNormTolerance);
  EXPECT_TRUE(fast->num_batches_tracked.equal(plain->num_batches_tracked));
}

TEST_P(NormaliseRelu, IsTorchsInUse) {
  const torch::NoGradGuard no_gradients;
  fast->running_mean.normal_();
  fast->running_var.uniform_(1, 2);
  plain->running_mean.copy_(fast->running_mean);
  plain->running_var.copy_(fast->running_var);
  fast->eval();
  plain->eval();
  EXPECT_LT(difference(normalise_relu(*fast, in).value, plain->forward(in).relu_()), kNormTolerance);
}

INSTANTIATE_TEST_SUITE_P(Shapes, NormaliseRelu,
                         ::testing::Values(Shape{8, 127}, Shape{8, 50}, Shape{16, 63}, Shape{32, 31},
                                           Shape{64, 15}, Shape{128, 7}, Shape{256, 3}, Shape{5, 9}));

class Resample : public ::testing::TestWithParam<Shape> {};

TEST_P(Resample, PoolsLikeTorch) {
  torch::manual_seed(7);
  // Ties, as ReLUs leave them.
  const torch::Tensor in = random_images(GetParam().channels, GetParam().size).relu().requires_grad_();
  const torch::Tensor found = pool2x2(in), expected = torch::max_pool2d(in, 2);
  const torch::Tensor gradient = torch::randn_like(expected);
  EXPECT_TRUE(found.equal(expected));
  EXPECT_TRUE(torch::autograd::grad({found}, {in}, {gradient})[0].equal(
      torch::autograd::grad({expected}, {in}, {gradient})[0]));
}

TEST_P(Resample, StretchesAndJoinsLikeTorch) {
  torch::manual_seed(7);
  const auto& [channels, size] = GetParam();
  const torch::Tensor small = random_images(2 * channels, size / 2).requires_grad_();
  const torch::Tensor large = random_images(channels, size).requires_grad_();
  const torch::Tensor found = stretch_and_join(small, large).value;
  const torch::Tensor expected = testing::stretched_and_joined(small, large);
  // Torch takes the places of the pixels, up to 127, in single precision.
  EXPECT_LT(difference(found, expected), 1e-5);
  const torch::Tensor gradient = torch::randn_like(expected);
  const auto found_gradients = torch::autograd::grad({found}, {small, large}, {gradient});
  const auto expected_gradients = torch::autograd::grad({expected}, {small, large}, {gradient});
  EXPECT_LT(difference(found_gradients[0], expected_gradients[0]), 1e-5);
  EXPECT_TRUE(found_gradients[1].equal(expected_gradients[1]));
}

INSTANTIATE_TEST_SUITE_P(Shapes, Resample,
                         ::testing::Values(Shape{8, 127}, Shape{8, 50}, Shape{16, 63}, Shape{64, 15},
                                           Shape{128, 7}, Shape{256, 3}, Shape{5, 9}));

// Gradients for which the images are made again, and those for which they are kept: not a bit differs.
class MadeAgain : public ::testing::TestWithParam<Shape> {
 protected:
  void SetUp() override { torch::manual_seed(7); }

  // Everything that has a gradient.
  torch::Tensor input(const torch::Tensor& values) {
    inputs_.push_back(values.requires_grad_());
    return values;
  }

  Images normalised(std::int64_t channels, std::int64_t size) {
    torch::nn::BatchNorm2d norm(channels);
    torch::nn::init::uniform_(input(norm->weight), -1, 2);
    torch::nn::init::normal_(input(norm->bias));
    norms_.push_back(norm);
    return normalise_relu(*norm, input(3 * random_images(channels, size) + 2));
  }

  template <class Layer>
  void expect_same(const Images& images, const Layer& layer) const {
    const torch::Tensor found = layer(images), expected = layer(images.value);
    const torch::Tensor gradient = torch::randn_like(found), statistics = running();
    EXPECT_TRUE(found.equal(expected));
    const auto found_gradients = torch::autograd::grad({found}, inputs_, {gradient}, true);
    const auto expected_gradients = torch::autograd::grad({expected}, inputs_, {gradient}, true);
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      EXPECT_TRUE(found_gradients[i].equal(expected_gradients[i])) << "input " << i;
    EXPECT_TRUE(running().equal(statistics));  // images that are made again do not count again
  }

 private:
  torch::Tensor running() const {
    std::vector<torch::Tensor> all;
    for (const auto& norm : norms_) all.insert(all.end(), {norm->running_mean, norm->running_var});
    return torch::cat(all);
  }

  std::vector<torch::Tensor> inputs_;
  std::vector<torch::nn::BatchNorm2d> norms_;
};

TEST_P(MadeAgain, ForConvolution) {
  const auto& [channels, size] = GetParam();
  const torch::Tensor weight = input(torch::randn({8, channels, 3, 3}));
  expect_same(normalised(channels, size), [&](const Images& in) { return convolve3x3(in, weight); });
}

TEST_P(MadeAgain, ForConvolutionOfJoined) {
  const auto& [channels, size] = GetParam();
  const torch::Tensor weight = input(torch::randn({channels, 3 * channels, 3, 3}));
  const Images small = normalised(2 * channels, size / 2), large = normalised(channels, size);
  for (const Images& in : {stretch_and_join(small, large), stretch_and_join(small.value, large)})
    expect_same(in, [&](const Images& joined) { return convolve3x3(joined, weight); });
}

TEST_P(MadeAgain, ForPooling) {
  expect_same(normalised(GetParam().channels, GetParam().size), pool2x2);
}

INSTANTIATE_TEST_SUITE_P(Shapes, MadeAgain,
                         ::testing::Values(Shape{8, 151}, Shape{8, 127}, Shape{8, 50}, Shape{16, 63},
                                           Shape{64, 15}, Shape{128, 7}, Shape{256, 3}, Shape{5, 9}));

// How many hold the input of a convolution for its gradient.
template <class Keep>
std::size_t holders(const Keep& keep) {
  torch::nn::BatchNorm2d norm(8);
  Images in = keep(normalise_relu(*norm, random_images(8, 9)));
  const torch::Tensor out = convolve3x3(in, torch::randn({8, in.value.size(1), 3, 3}).requires_grad_());
  const torch::Tensor value = std::exchange(in, {}).value;
  return value.use_count() - 1 + value.storage().use_count() - 1;  // as a tensor, as its memory
}

TEST(Images, AreNotKeptWhereTheyAreMadeAgain) {
  EXPECT_EQ(holders([](const Images& made) { return made.value; }), 1);
  EXPECT_EQ(holders([](const Images& made) { return made; }), 0);
  EXPECT_EQ(holders([](const Images& made) { return stretch_and_join(made, made); }), 0);
}

// One step of a network, the same whatever it is computed with.
struct Step {
  MaskUnet network;
  torch::Tensor logits;
};

template <class Logits>
Step step(std::int64_t size, torch::Dtype type, const Logits& logits) {
  torch::manual_seed(3);
  Step made;
  const torch::Tensor scans = torch::rand({4, 2, size, size});
  // Something to learn: gradients of noise would be noise.
  const torch::Tensor labels = torch::avg_pool2d(scans, 5, 1, 2) > 0.5;
  made.network->to(type);
  made.logits = logits(*made.network, scans.to(type));
  F::binary_cross_entropy_with_logits(made.logits, labels.to(type)).backward();
  return made;
}
Step fast_step(std::int64_t size) {
  return step(size, torch::kFloat, [](auto& network, const auto& scans) { return network.logits(scans); });
}

double distance(const torch::Tensor& found, const torch::Tensor& expected) {
  return ((found - expected).norm() / expected.norm()).item<double>();
}

class FastNetwork : public ::testing::TestWithParam<int> {};

// Of the layers; the temperatures have no part in the masks.
std::vector<std::pair<std::string, torch::Tensor>> gradients(const Step& step) {
  std::vector<std::pair<std::string, torch::Tensor>> all;
  for (const auto& item : step.network->named_parameters())
    if (item.value().grad().defined()) all.emplace_back(item.key(), item.value().grad());
  return all;
}

torch::Tensor all_gradients(const Step& step) {
  std::vector<torch::Tensor> all;
  for (const auto& [name, gradient] : gradients(step)) all.push_back(gradient.flatten());
  return torch::cat(all);
}

// Rounding grows through 22 layers, and here and there changes what a ReLU or a pooling lets pass: up to a
// percent of the gradient in torch's own single precision, or by luck nothing at all. A convolution after
// Winograd rounds about five times as much. The layers' own tests are the sharp ones.
TEST_P(FastNetwork, HasThePlainOnesGradients) {
  const Step fast = fast_step(GetParam());
  const Step exact = step(GetParam(), torch::kDouble, testing::plain_logits);
  EXPECT_LT(distance(fast.logits, exact.logits), 1e-4);
  EXPECT_LT(distance(all_gradients(fast), all_gradients(exact)), 0.03);
  const auto parameters = fast.network->named_parameters(), buffers = fast.network->named_buffers();
  for (const auto& [name, gradient] : gradients(exact))
    EXPECT_LT(distance(parameters[name].grad(), gradient), 0.1) << name;
  for (const auto& item : exact.network->named_buffers())
    EXPECT_LT(distance(buffers[item.key()].to(torch::kDouble), item.value()), 1e-5) << item.key();
}

TEST_P(FastNetwork, GivesTheSameBitsBesideAnother) {
  const Step alone = fast_step(GetParam());
  torch::manual_seed(4);
  MaskUnet other;
  const torch::Tensor scans = torch::rand({2, 2, GetParam(), GetParam()});
  std::thread beside([&] { other->logits(scans).sum().backward(); });
  const Step again = fast_step(GetParam());
  beside.join();
  EXPECT_TRUE(all_gradients(alone).equal(all_gradients(again)));
}

TEST_P(FastNetwork, TakesDoubles) {
  MaskUnet network;
  network->to(torch::kDouble);
  const torch::Tensor scans = torch::rand({1, 2, GetParam(), GetParam()}, torch::kDouble);
  const torch::Tensor found = network->logits(scans);
  EXPECT_LT(distance(found, testing::plain_logits(*network, scans)), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Sizes, FastNetwork, ::testing::Values(64, 127));

}  // namespace
}  // namespace fmbym::training
