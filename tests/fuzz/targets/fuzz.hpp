// What every reader promises, whatever it is given: a value, or an Error of one line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fmbym/core/error.hpp"

namespace fmbym::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

inline void require(bool kept, const char* promise, const std::string& found = "") {
  if (kept) return;
  std::fprintf(stderr, "broken: %s: %s\n", promise, found.c_str());
  std::abort();
}

// Anything thrown but an Error is a finding.
void expect_value_or_error(const auto& read) {
  try {
    read();
  } catch (const Error& error) {
    const std::string message = error.what();
    require(message.find('\n') == std::string::npos, "an error is one line", message);
    require(message.starts_with("input"), "an error begins with the file", message);
    require(message.find("; ") != std::string::npos, "an error has a remedy", message);
    require(message.size() < 1000, "an error is short", message);
  }
}

}  // namespace fmbym::fuzz
