// What fmbym info says of a file.
#pragma once

#include "cli/expectations.hpp"

namespace fmbym::testing {

inline Json info(const std::filesystem::path& file, const Arguments& more = {}) {
  Arguments arguments = {"info", file, "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = run(arguments);
  expect_done(outcome);
  EXPECT_EQ(outcome.err, "");
  return outcome.json();
}

// For people.
inline std::string info_text(const std::filesystem::path& file) {
  const Outcome outcome = run({"info", file});
  expect_done(outcome);
  return outcome.out;
}

}  // namespace fmbym::testing
