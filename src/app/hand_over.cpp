#include "app/hand_over.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include "app/note.hpp"

namespace fmbym::app {
namespace {

namespace fs = std::filesystem;

struct HandedOver {
  const char* name;
  const char* description;
};
constexpr std::array kHandedOver = {
    HandedOver{"train", "Train the mask network on sequences of scans and their poses"},
    HandedOver{"bench-train", "Time and memory of a training step against the batch size"}};

// Beside this one, in the build folder and where it is installed.
fs::path training_program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path() / "fmbym-train";
}

}  // namespace

void add_handed_over_commands(CLI::App& program, Run&) {
  for (const HandedOver& command : kHandedOver) program.add_subcommand(command.name, command.description);
}

bool is_handed_over(std::string_view command) {
  return std::any_of(kHandedOver.begin(), kHandedOver.end(),
                     [&](const HandedOver& known) { return known.name == command; });
}

int hand_over(char** argv) {
  std::string program = training_program().string();
  const std::string command = argv[1];
  argv[0] = program.data();
  ::execv(program.c_str(), argv);
  if (errno == ENOENT)
    note(
        "fmbym: {}: expected the program {}, found none; ./fmbym {} … in the source folder installs libtorch "
        "and builds it, or install libtorch-dev, configure anew and build\n",
        command, program, command);
  else
    note("fmbym: {}: cannot start {}: {}; build or install it anew\n", command, program,
         std::strerror(errno));
  return kFailed;
}

}  // namespace fmbym::app
