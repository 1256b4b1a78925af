// Ctrl-C as a question instead of an end. The first one asks the program to finish up; a second one ends it.
#pragma once

namespace fmbym::app {

// From here on Ctrl-C and SIGTERM only set a flag, once.
void watch_for_interrupt();
bool interrupted();

}  // namespace fmbym::app
