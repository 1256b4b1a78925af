// A program of commands: picks the one that was asked for, and turns every failure into one line on stderr
// and an exit code.
#pragma once

#include <span>

#include "app/command.hpp"

namespace fmbym::app {

int run_program(int argc, char** argv, std::span<const AddCommand> commands);

}  // namespace fmbym::app
