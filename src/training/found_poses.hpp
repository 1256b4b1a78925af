// Poses to learn from where there is no ground truth, or none as good.
#pragma once

#include <functional>
#include <memory>

#include "fmbym/datasets/dataset.hpp"

namespace fmbym::training {

// The sequence, with the poses that the odometry finds in place of its ground truth: those of f-raw in the
// default preset at 511 pixels, which needs no weights. A scan that was not matched has none. `go_on` is
// asked after each scan; where it says no, there is no sequence.
std::unique_ptr<Dataset> with_found_poses(std::unique_ptr<Dataset> sequence,
                                          const std::function<bool(std::size_t scans_done)>& go_on);

}  // namespace fmbym::training
