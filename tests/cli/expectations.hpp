// What every command owes its user, whatever it does.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

#include "cli/program.hpp"
#include "fmbym/core/file.hpp"

namespace fmbym::testing {

// Exit codes, as docs/formats.md has them.
inline constexpr int kDone = 0, kFailed = 1, kWrongUsage = 2, kInterrupted = 130;

inline constexpr std::array kResultFiles = {"trajectory_tum.txt", "trajectory_kitti.txt", "increments.csv",
                                            "config.json", "summary.json"};

inline void expect_contains(const std::string& text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in:\n" << text;
}

inline std::string last_line(const std::string& text) {
  const std::string whole = text.substr(0, text.find_last_not_of('\n') + 1);
  return whole.substr(whole.rfind('\n') + 1);
}

// Nothing but one line on standard error, with all of `parts`, and nothing on standard output.
inline void expect_failure(const Outcome& outcome, int exit_code,
                           std::initializer_list<std::string_view> parts) {
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.starts_with("fmbym: ") && outcome.err.ends_with('\n')) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  expect_contains(outcome.err, parts);
}

inline void expect_done(const Outcome& outcome) {
  EXPECT_EQ(outcome.exit_code, kDone) << outcome.err;
}

// Neither results nor what a write that failed might have left.
inline void expect_no_files(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) return;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    EXPECT_FALSE(entry.is_regular_file()) << entry.path();
}

inline void expect_no_nan(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const std::string_view word : {"nan", "inf"}) EXPECT_EQ(text.find(word), std::string::npos) << text;
}

inline Json read_json(const std::filesystem::path& file) {
  return Json::parse(read_file(file));
}

}  // namespace fmbym::testing
