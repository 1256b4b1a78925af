// The commands of the program. A command adds its options to the command line and leaves what is to be run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace fmbym::app {

// Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted with a partial result.
constexpr int kDone = 0, kFailed = 1, kWrongUsage = 2, kInterrupted = 130;

using Run = std::function<int()>;  // returns the exit code, throws Error

using AddCommand = void (*)(CLI::App& program, Run& run);

void add_demo_command(CLI::App& program, Run& run);
void add_odometry_command(CLI::App& program, Run& run);
void add_match_command(CLI::App& program, Run& run);
void add_evaluate_command(CLI::App& program, Run& run);
void add_calibrate_command(CLI::App& program, Run& run);
void add_quantize_command(CLI::App& program, Run& run);
void add_simulate_command(CLI::App& program, Run& run);
void add_bench_command(CLI::App& program, Run& run);
void add_info_command(CLI::App& program, Run& run);

// Of fmbym-train, to which fmbym hands them over.
void add_train_command(CLI::App& program, Run& run);
void add_bench_train_command(CLI::App& program, Run& run);

}  // namespace fmbym::app
