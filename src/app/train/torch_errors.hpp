// libtorch's failures in our words: its own are a page long.
#pragma once

#include <c10/util/Exception.h>

#include <new>
#include <string>

#include "fmbym/core/error.hpp"

namespace fmbym::app {

class OutOfMemory : public Error {
 public:
  using Error::Error;
};

// What the function returns. Throws Error where libtorch throws, OutOfMemory for that.
template <class Function>
auto explained(const Function& function) {
  const char* advice = "out of memory; try a smaller --batch or --resolution";
  try {
    return function();
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(advice);
  } catch (const c10::Error& error) {
    const std::string reason = error.what_without_backtrace();
    if (reason.find("allocate memory") != std::string::npos) throw OutOfMemory(advice);
    throw Error("libtorch: " + reason.substr(0, reason.find('\n')));
  }
}

}  // namespace fmbym::app
