#include "training/replicas.hpp"

#include <torch/utils.h>

#include <algorithm>
#include <exception>

#include "fmbym/core/stopwatch.hpp"

namespace fmbym::training {
namespace {

constexpr std::size_t kBite = 4;  // pairs: enough for the batch norms, few enough for the cache

Batch to(const Batch& batch, torch::Device device) {
  return {batch.scans.to(device), batch.targets.defined() ? batch.targets.to(device) : batch.targets,
          batch.poses.to(device)};
}

}  // namespace

Replicas::Replicas(int threads, torch::Device device) : device_(device), team_(threads) {
  for (int i = 0; i < threads; ++i) {
    networks_.emplace_back();
    networks_.back()->to(device);
    networks_.back()->train();
  }
  auto work_alone = [](int) { at::set_num_threads(1); };  // each thread has a setting of its own
  team_.run(work_alone);
}

void Replicas::follow() {
  const torch::NoGradGuard no_gradients;
  for (std::size_t i = 1; i < networks_.size(); ++i) {
    const auto copy = [](const std::vector<torch::Tensor>& from, const std::vector<torch::Tensor>& into) {
      for (std::size_t k = 0; k < from.size(); ++k) into[k].copy_(from[k]);
    };
    copy(networks_[0]->parameters(), networks_[i]->parameters());
    copy(networks_[0]->buffers(), networks_[i]->buffers());
  }
}

double Replicas::accumulate(const ExampleSet& set, std::span<const Drawn> drawn, const Loss& loss) {
  std::vector<Share> shares(networks_.size());
  const std::size_t part = (drawn.size() + shares.size() - 1) / shares.size();
  auto work = [&](int member) {
    const auto i = std::size_t(member);
    const std::size_t first = std::min(i * part, drawn.size()), last = std::min(first + part, drawn.size());
    work_off(networks_[i], set, drawn.subspan(first, last - first), drawn.size(), loss, shares[i]);
  };
  team_.run(work);
  double sum = 0, data_seconds = 0;
  for (const Share& share : shares) {
    if (share.failure) std::rethrow_exception(share.failure);
    sum += share.loss;
    data_seconds += share.data_seconds;
  }
  data_seconds_ += data_seconds / double(shares.size());
  gather();
  return sum;
}

void Replicas::work_off(MaskUnet& network, const ExampleSet& set, std::span<const Drawn> drawn,
                        std::size_t pairs, const Loss& loss, Share& share) const {
  try {
    network->zero_grad();
    while (!drawn.empty()) {
      const std::size_t bite = drawn.size() < 2 * kBite && drawn.size() > kBite
                                   ? (drawn.size() + 1) / 2
                                   : std::min(kBite, drawn.size());
      Stopwatch watch;
      const Batch batch = to(make_batch(set, drawn.first(bite)), device_);
      share.data_seconds += watch.seconds();
      const torch::Tensor part = loss(network, batch) * (double(bite) / double(pairs));
      part.backward();
      share.loss += part.item<double>();
      drawn = drawn.subspan(bite);
    }
  } catch (...) {
    share.failure = std::current_exception();
  }
}

void Replicas::gather() {
  const torch::NoGradGuard no_gradients;
  const auto parameters = networks_[0]->parameters();
  const auto buffers = networks_[0]->buffers();
  for (std::size_t i = 1; i < networks_.size(); ++i) {
    const auto others = networks_[i]->parameters();
    for (std::size_t k = 0; k < parameters.size(); ++k)
      if (others[k].grad().defined()) parameters[k].mutable_grad() += others[k].grad();
  }
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    if (!buffers[k].is_floating_point()) continue;  // the norms' count of batches
    torch::Tensor mean = buffers[k].clone();
    for (std::size_t i = 1; i < networks_.size(); ++i) mean += networks_[i]->buffers()[k];
    buffers[k].copy_(mean / double(networks_.size()));
  }
}

}  // namespace fmbym::training
