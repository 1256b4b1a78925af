// The one exception of the library. Its message is a single line for the user: the file or option, what was
// expected, what was found, and what to do about it.
#pragma once

#include <stdexcept>

namespace fmbym {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace fmbym
