// Holds the program where a test wants it, however fast the machine.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>

#include "fmbym/core/file.hpp"

namespace fmbym::testing {

// In the place of a scan: the program waits there until it is let through, however fast the machine.
class Gate {
 public:
  explicit Gate(const std::filesystem::path& scan) : scan_(scan), png_(read_file(scan)) {
    std::filesystem::remove(scan);
    if (::mkfifo(scan.c_str(), 0644) != 0) throw std::runtime_error("mkfifo");
  }
  // Waits for the program to come, does something while it stands there, and hands it the scan.
  template <class Action>
  void open(const Action& while_it_waits) const {
    const int gate = wait_for_reader();
    while_it_waits();
    const auto written = ::write(gate, png_.data(), png_.size());
    ::close(gate);
    if (written != std::ssize(png_)) throw std::runtime_error("the program left the gate");
  }

 private:
  int wait_for_reader() const {
    for (int i = 0; i < 6000; ++i) {
      if (const int gate = ::open(scan_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC); gate >= 0) {
        ::fcntl(gate, F_SETFL, 0);  // from here on blocking
        return gate;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    throw std::runtime_error("the program never reads " + scan_.string());
  }

  std::filesystem::path scan_;
  std::string png_;
};

}  // namespace fmbym::testing
