#include "app/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <string>

#include "app/note.hpp"
#include "app/version.hpp"
#include "fmbym/core/error.hpp"

namespace fmbym::app {
namespace {

void complain(std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  note("fmbym: {}\n", message);
}

int parse(CLI::App& program, int argc, char** argv) {
  try {
    program.parse(argc, argv);
    return kDone;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    const auto commands = program.get_subcommands();
    if (!commands.empty())
      complain(fmt::format("{}; see fmbym {} --help", error.what(), commands.front()->get_name()));
    else if (argc > 1)
      complain(fmt::format("{}: no such command or option; see fmbym --help", argv[1]));
    else
      complain("a command is needed; see fmbym --help");
    return kWrongUsage;
  }
}

// A file opened in the place of a closed standard stream would receive what was meant for that. Standard
// output stays unwritable: results that nobody gets are a failure, messages that nobody gets are not.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) == -1) ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

int run_command(int argc, char** argv, std::span<const AddCommand> commands) {
  Run run;
  CLI::App program("Radar odometry for spinning FMCW radars: from radar scans to the vehicle's motion.",
                   "fmbym");
  program.set_version_flag("--version", kVersion);
  program.require_subcommand(1);
  program.failure_message(CLI::FailureMessage::simple);
  for (const auto add : commands) add(program, run);
  int code = parse(program, argc, argv);
  if (code == kDone && run) code = run();
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw Error("standard output: cannot write; free some space or write elsewhere");
  return code;
}

}  // namespace

int run_program(int argc, char** argv, std::span<const AddCommand> commands) {
  open_standard_streams();
  try {
    return run_command(argc, argv, commands);
  } catch (const std::bad_alloc&) {
    complain("out of memory; try a smaller --resolution");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return kFailed;
}

}  // namespace fmbym::app
