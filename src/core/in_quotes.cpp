#include "core/in_quotes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fmbym {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string shown(text.substr(0, kLongest));
  std::ranges::replace_if(
      shown, [](char c) { return c < ' ' || c > '~'; }, '?');
  return fmt::format("'{}{}'", shown, text.size() > kLongest ? "..." : "");
}

}  // namespace fmbym
