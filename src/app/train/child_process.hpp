// This program once more, as a child: what it needs and whether it survives is then its own.
#pragma once

#include <string>
#include <vector>

namespace fmbym::app {

struct ChildOutcome {
  int exit_code = 0;   // minus the signal where one ended it
  std::string output;  // what it wrote to standard output
};

// Waits for it. It is ended when it holds more memory than that, when this process ends, and when this
// process is interrupted. A limit set by the system would rather leave it hanging: not all of libtorch can do
// without.
ChildOutcome run_this_program(const std::vector<std::string>& arguments, double most_mb);

}  // namespace fmbym::app
