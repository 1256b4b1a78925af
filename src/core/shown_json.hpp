// A value of a JSON file, as it may appear in a message.
#pragma once

#include <fmt/format.h>

#include <string>

#include "core/in_quotes.hpp"

namespace fmbym {

// Short, and on one line. Lists and objects by their name only: their text may be as long as the file, and
// printing one that is nested deeply would use up the stack.
template <typename Json>
std::string shown(const Json& value) {
  if (value.is_string()) return in_quotes(value.template get_ref<const std::string&>());
  return value.is_primitive() ? value.dump() : fmt::format("an {}", value.type_name());
}

}  // namespace fmbym
