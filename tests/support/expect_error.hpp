// Errors are for people: one line that names the file and says what was expected, found and to be done.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

#include "fmbym/core/error.hpp"

namespace fmbym::testing {

// The message of the Error that `action` throws; a failed test if it throws none.
std::string error_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

// Expects one line beginning with the file (or option), ending with a remedy, with all of `parts` in it.
inline void expect_message(const std::string& message, const std::filesystem::path& file,
                           std::initializer_list<std::string_view> parts) {
  EXPECT_TRUE(message.starts_with(file.string() + ": ")) << message;
  EXPECT_NE(message.find("; "), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  for (const std::string_view part : parts) EXPECT_NE(message.find(part), std::string::npos) << message;
}

}  // namespace fmbym::testing
