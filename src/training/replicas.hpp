// The network, once a thread: each takes its share of a batch in small bites that stay in its cache, and
// their gradients add up. Two threads with a network each are a third faster than one network on two.
#pragma once

#include <functional>
#include <vector>

#include "fmbym/core/thread_team.hpp"
#include "training/examples.hpp"
#include "training/network.hpp"

namespace fmbym::training {

class Replicas {
 public:
  // The loss of a bite: mean over its pairs.
  using Loss = std::function<torch::Tensor(MaskUnet& network, const Batch& batch)>;

  Replicas(int threads, torch::Device device);

  // The first, which is trained; the others follow it.
  MaskUnet& network() { return networks_.front(); }
  void follow();  // after the network was changed: weights and norms

  // Sets the network's gradients to those of the mean loss of all these pairs, and its norms to what the
  // threads saw. Returns the mean loss. The same from run to run with the same number of threads.
  double accumulate(const ExampleSet& set, std::span<const Drawn> drawn, const Loss& loss);

  double data_seconds() const { return data_seconds_; }  // spent on making batches so far, mean of a thread

 private:
  struct Share {
    double loss = 0;
    double data_seconds = 0;
    std::exception_ptr failure;
  };
  void work_off(MaskUnet& network, const ExampleSet& set, std::span<const Drawn> drawn, std::size_t pairs,
                const Loss& loss, Share& share) const;
  void gather();

  torch::Device device_;
  std::vector<MaskUnet> networks_;
  ThreadTeam team_;
  double data_seconds_ = 0;
};

}  // namespace fmbym::training
