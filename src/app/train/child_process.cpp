#include "app/train/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

#include "app/interrupt.hpp"
#include "fmbym/core/error.hpp"

namespace fmbym::app {
namespace {

constexpr int kCannotStart = 127;
constexpr int kPoll_ms = 50;  // between looks at the child

void require(bool fine, const char* what) {
  if (!fine)
    throw Error(fmt::format("cannot start a process to measure in: {}: {}", what, std::strerror(errno)));
}

// In the child. Signals that are handled here are back at their defaults after exec.
[[noreturn]] void become(std::vector<char*>& arguments, int output) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::dup2(output, STDOUT_FILENO);
  ::execv("/proc/self/exe", arguments.data());
  ::_exit(kCannotStart);
}

double resident_mb(pid_t process) {
  std::ifstream pages(fmt::format("/proc/{}/statm", process));
  double all = 0, resident = 0;
  pages >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) * 1e-6;
}

// Until the stream ends.
std::string read_all(int descriptor, pid_t child, double most_mb) {
  std::string text;
  std::array<char, 4096> block{};
  bool ended = false;
  while (!ended) {
    pollfd stream{descriptor, POLLIN, 0};
    ::poll(&stream, 1, kPoll_ms);
    if (interrupted() || resident_mb(child) > most_mb) ::kill(child, SIGKILL);
    if (stream.revents == 0) continue;
    const ssize_t n = ::read(descriptor, block.data(), block.size());
    if (n > 0) text.append(block.data(), static_cast<std::size_t>(n));
    ended = n == 0 || (n < 0 && errno != EINTR);
  }
  return text;
}

int exit_code_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return kCannotStart;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

ChildOutcome run_this_program(const std::vector<std::string>& arguments, double most_mb) {
  std::vector<std::string> words = {"fmbym-train"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  std::array<int, 2> ends{};
  require(::pipe2(ends.data(), O_CLOEXEC) == 0, "pipe");
  const pid_t child = ::fork();
  if (child == 0) become(pointers, ends[1]);
  ::close(ends[1]);
  require(child > 0, "fork");
  ChildOutcome outcome;
  outcome.output = read_all(ends[0], child, most_mb);
  ::close(ends[0]);
  outcome.exit_code = exit_code_of(child);
  return outcome;
}

}  // namespace fmbym::app
