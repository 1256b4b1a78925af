// The program fmbym-train: the commands that need libtorch. fmbym hands them over to it.
#include <array>

#include "app/program.hpp"

int main(int argc, char** argv) {
  using namespace fmbym::app;
  constexpr std::array<AddCommand, 2> commands = {add_train_command, add_bench_train_command};
  return run_program(argc, argv, commands);
}
