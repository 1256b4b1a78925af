// Commands that another program does: training needs libtorch, which this one neither links nor needs.
#pragma once

#include <string_view>

#include "app/command.hpp"

namespace fmbym::app {

// For the help of this program.
void add_handed_over_commands(CLI::App& program, Run& run);

bool is_handed_over(std::string_view command);

// This process becomes the other program, with the same arguments. Returns, with the exit code, only where
// that program can't be started.
int hand_over(char** argv);

}  // namespace fmbym::app
