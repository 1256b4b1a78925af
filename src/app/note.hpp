// Lines for the user on stderr. Nobody may be there to read them: that is no reason to fail.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace fmbym::app {

template <class... Arguments>
void note(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  std::fputs(fmt::format(format, std::forward<Arguments>(arguments)...).c_str(), stderr);
}

}  // namespace fmbym::app
