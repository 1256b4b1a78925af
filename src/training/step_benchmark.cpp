#include "training/step_benchmark.hpp"

#include <torch/optim/adam.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "fmbym/core/stopwatch.hpp"
#include "training/losses.hpp"

namespace fmbym::training {
namespace {

constexpr double kLearningRate = 1e-4;

// A line of /proc/self/status [MB]. The usual getrusage also counts what the process was before its exec.
double status_mb(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name + ":")) return std::stod(line.substr(name.size() + 1)) * 1024e-6;
  return 0;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class Step {
 public:
  Step(const OdometryConfig& config, int batch)
      : batch_{torch::rand({batch, 2, config.imaging.size, config.imaging.size}),
               {},
               torch::zeros({batch, 3})},
        loss_(make_pose_loss(config, {}, torch::kFloat)),
        optimizer_(network_->parameters(), torch::optim::AdamOptions(kLearningRate)) {}

  void run() {
    optimizer_.zero_grad();
    loss_(network_, batch_).backward();
    optimizer_.step();
  }

 private:
  Batch batch_;
  MaskUnet network_;
  Replicas::Loss loss_;
  torch::optim::Adam optimizer_;
};

}  // namespace

StepCost measure_step(const OdometryConfig& config, int batch, double seconds) {
  StepCost cost;
  cost.program_mb = status_mb("VmRSS");
  torch::manual_seed(1);
  torch::set_num_threads(config.threads);
  Step step(config, batch);
  step.run();
  std::vector<double> ms;
  double total_ms = 0;
  do {
    Stopwatch watch;
    step.run();
    ms.push_back(watch.lap_ms());
    total_ms += ms.back();
  } while (total_ms < 1000 * seconds);
  cost.steps = static_cast<int>(ms.size());
  cost.step_ms = median(ms);
  cost.memory_mb = status_mb("VmHWM");
  return cost;
}

}  // namespace fmbym::training
