// The program fmbym.
#include <array>

#include "app/hand_over.hpp"
#include "app/program.hpp"

int main(int argc, char** argv) {
  using namespace fmbym::app;
  constexpr std::array<AddCommand, 10> commands = {
      add_demo_command,     add_odometry_command,    add_match_command,    add_evaluate_command,
      add_simulate_command, add_calibrate_command,   add_quantize_command, add_bench_command,
      add_info_command,     add_handed_over_commands};
  if (argc > 1 && is_handed_over(argv[1])) return hand_over(argv);
  return run_program(argc, argv, commands);
}
