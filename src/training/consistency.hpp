// What a scan shows that is there to stay: the head start of training. Only poses are needed to make it.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "fmbym/core/image.hpp"
#include "fmbym/core/se2.hpp"

namespace fmbym::training {

// 1 where most of the scans taken just before and after show a return, laid over each other by their poses;
// noise and what moves is 0. `scan` is the one the pose is near to, and is left out of the vote.
class Consistency {
 public:
  explicit Consistency(int size);

  // (row, column); valid until the next call.
  const std::vector<unsigned char>& seen_from(const SE2& T_world_view, std::size_t scan,
                                              const std::vector<Image>& images,
                                              const std::vector<std::optional<SE2>>& T_world);

 private:
  std::vector<unsigned char> votes_, target_;
};

}  // namespace fmbym::training
