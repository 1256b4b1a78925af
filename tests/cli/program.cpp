#include "cli/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <system_error>

namespace fmbym::testing {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(90);

void require(bool fine, const char* what) {
  if (!fine) throw std::system_error(errno, std::generic_category(), what);
}

// One stream of the program: the end we read, and the end it writes to.
struct Stream {
  int ours = -1, theirs = -1;

  static Stream pipe() {
    std::array<int, 2> ends{};
    require(::pipe2(ends.data(), O_CLOEXEC) == 0, "pipe");
    return {ends[0], ends[1]};
  }
  static Stream terminal() {
    Stream stream;
    require(::openpty(&stream.ours, &stream.theirs, nullptr, nullptr, nullptr) == 0, "openpty");
    return stream;
  }
};

void redirect(int descriptor, int theirs, const std::optional<std::filesystem::path>& file, bool closed) {
  if (closed)
    ::close(descriptor);
  else
    ::dup2(file ? ::open(file->c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644) : theirs, descriptor);
}

// In the child; returns only if the program can't be started.
void become(std::vector<char*>& arguments, const Surroundings& around, const Stream& out, const Stream& err) {
  if (!around.folder.empty() && ::chdir(around.folder.c_str()) != 0) return;
  if (around.largest_file) {
    const rlimit limit{*around.largest_file, *around.largest_file};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::signal(SIGXFSZ, SIG_IGN);  // so that the write fails, as it does on a full disk
  }
  for (const auto& [name, value] : around.environment) ::setenv(name.c_str(), value.c_str(), 1);
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  redirect(STDOUT_FILENO, out.theirs, around.standard_output, around.output_closed);
  redirect(STDERR_FILENO, err.theirs, around.standard_error, around.error_closed);
  for (const int descriptor : {out.ours, out.theirs, err.ours, err.theirs}) ::close(descriptor);
  ::execv(arguments.front(), arguments.data());
}

pid_t start(const Arguments& arguments, const Surroundings& around, const Stream& out, const Stream& err) {
  Arguments all = {around.program.empty() ? FMBYM_PROGRAM : around.program.string()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& argument : all) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const pid_t child = ::fork();
  require(child >= 0, "fork");
  if (child == 0) {
    become(pointers, around, out, err);
    ::_exit(127);
  }
  ::close(out.theirs);
  ::close(err.theirs);
  return child;
}

// Appends what there is; false at the end of the stream.
bool drain(int descriptor, std::string& text) {
  std::array<char, 4096> block{};
  const ssize_t n = ::read(descriptor, block.data(), block.size());
  if (n > 0) text.append(block.data(), static_cast<std::size_t>(n));
  return n > 0;  // a terminal that is left fails with EIO
}

// Until both streams end.
void listen(const Stream& out, const Stream& err, Outcome& outcome) {
  std::array<pollfd, 2> streams = {pollfd{out.ours, POLLIN, 0}, pollfd{err.ours, POLLIN, 0}};
  const auto deadline = Clock::now() + kPatience;
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    ::poll(streams.data(), streams.size(), 100);
    if (streams[0].revents != 0 && !drain(streams[0].fd, outcome.out)) streams[0].fd = -1;
    if (streams[1].revents != 0 && !drain(streams[1].fd, outcome.err)) streams[1].fd = -1;
    if (Clock::now() > deadline)
      throw std::runtime_error("the program takes too long; so far: " + outcome.err);
  }
}

int wait_for(pid_t child) {
  int status = 0;
  require(::waitpid(child, &status, 0) == child, "waitpid");
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

Outcome run(const Arguments& arguments, const Surroundings& surroundings) {
  const Stream out = Stream::pipe();
  const Stream err = surroundings.error_is_terminal ? Stream::terminal() : Stream::pipe();
  const pid_t child = start(arguments, surroundings, out, err);
  Outcome outcome;
  try {
    if (surroundings.meanwhile) surroundings.meanwhile(child);
    listen(out, err, outcome);
  } catch (...) {
    ::kill(child, SIGKILL);
    wait_for(child);
    throw;
  }
  ::close(out.ours);
  ::close(err.ours);
  outcome.exit_code = wait_for(child);
  return outcome;
}

}  // namespace fmbym::testing
