#include "app/held_drive.hpp"

#include <algorithm>

#include "app/interrupt.hpp"
#include "app/progress.hpp"
#include "fmbym/core/thread_team.hpp"

namespace fmbym::app {

HeldDrive::HeldDrive(const SimulatorConfig& config, int threads) : simulator_(config) {
  ThreadTeam team(threads);
  Progress progress(simulator_.size(), "scans");
  while (scans_.size() < simulator_.size() && !interrupted()) {
    const std::size_t first = scans_.size();
    scans_.resize(std::min(first + static_cast<std::size_t>(team.members()), simulator_.size()));
    auto render = [&](int member) {
      const std::size_t index = first + static_cast<std::size_t>(member);
      if (index < scans_.size()) scans_[index] = simulator_.read(index);
    };
    team.run(render);
    for (std::size_t i = first; i < scans_.size(); ++i) progress.advance();
  }
}

}  // namespace fmbym::app
