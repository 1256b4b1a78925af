#include "app/interrupt.hpp"

#include <csignal>

namespace fmbym::app {
namespace {

volatile std::sig_atomic_t asked_to_stop = 0;
extern "C" void ask_to_stop(int) {
  asked_to_stop = 1;
}

}  // namespace

void watch_for_interrupt() {
  struct sigaction action = {};
  action.sa_handler = ask_to_stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
  return asked_to_stop != 0;
}

}  // namespace fmbym::app
