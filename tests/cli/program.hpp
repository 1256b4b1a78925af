// Runs the program as a user would: arguments in; exit code, standard output and standard error out.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace fmbym::testing {

using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

struct Surroundings {
  std::filesystem::path program{};                         // a copy of the program; the one built if empty
  std::filesystem::path folder{};                          // the working directory; the test's own if empty
  std::map<std::string, std::string> environment{};        // variables, beside the test's own
  std::optional<std::filesystem::path> standard_output{};  // written there instead of being returned
  std::optional<std::filesystem::path> standard_error{};   // likewise
  bool output_closed = false, error_closed = false;
  bool error_is_terminal = false;
  std::optional<std::size_t> largest_file{};  // [bytes]; writing beyond fails, as on a full disk
  std::function<void(pid_t)> meanwhile{};     // called once the program runs
};

struct Outcome {
  int exit_code = 0;  // minus the signal where one ended it
  std::string out, err;

  Json json() const { return Json::parse(out); }  // throws unless `out` is one JSON value and nothing else
};

// Throws, and ends the program, when it takes more than a minute and a half.
Outcome run(const Arguments& arguments, const Surroundings& surroundings = {});

}  // namespace fmbym::testing
