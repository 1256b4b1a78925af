// fmbym evaluate: the error of one trajectory file against another.
#include <fmt/format.h>

#include <map>
#include <memory>

#include "app/command.hpp"
#include "app/note.hpp"
#include "app/options.hpp"
#include "app/results.hpp"
#include "fmbym/core/error.hpp"

namespace fmbym::app {
namespace {

struct EvaluateOptions {
  std::filesystem::path groundtruth, estimate;
  int step = KittiOptions{}.step;
  std::string angle = "atan2";
  bool json = false;
};

KittiOptions kitti_options(const EvaluateOptions& options) {
  static const std::map<std::string, AngleFormula> formulas = {{"atan2", AngleFormula::atan2},
                                                               {"acos", AngleFormula::acos}};
  const auto formula = formulas.find(options.angle);
  if (formula == formulas.end())
    throw Error(fmt::format("--angle {}: no such formula; choose atan2 or acos", options.angle));
  if (options.step < 1) throw Error(fmt::format("--step {}: a number of at least 1 is needed", options.step));
  return {options.step, formula->second};
}

void print_score(const Score& score, const AssociatedPair& pair) {
  fmt::print("{} poses, {:.1f} m\n", pair.truth.size(), path_length(pair.truth));
  fmt::print("  KITTI   {}\n", kitti_text(score.kitti));
  fmt::print("  ATE     {:.3f} m\n", score.ate_m);
  if (!score.kitti) return;
  fmt::print("  length       %     °/km  segments\n");
  for (const auto& [length, error] : score.kitti->by_length)
    fmt::print("  {:4} m {:9.3f} {:8.3f} {:9}\n", length, error.translation_percent,
               error.rotation_deg_per_km, error.segments);
}

int run_evaluate(const EvaluateOptions& options) {
  const KittiOptions kitti = kitti_options(options);
  const AssociatedPair pair = associate(read_trajectory(options.groundtruth).trajectory,
                                        read_trajectory(options.estimate).trajectory);
  if (pair.dropped > 0)
    note("note: {} poses of the estimate have no partner in the ground truth\n", pair.dropped);
  const Score result = score(pair.truth, pair.estimate, kitti);
  if (options.json) {
    const Json json = {{"kitti", kitti_json(result.kitti)},
                       {"ate_m", result.ate_m},
                       {"poses", pair.truth.size()},
                       {"distance_m", path_length(pair.truth)}};
    fmt::print("{}\n", json.dump(2));
  } else {
    print_score(result, pair);
  }
  return kDone;
}

}  // namespace

void add_evaluate_command(CLI::App& program, Run& run) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App* command = program.add_subcommand(
      "evaluate", "KITTI and absolute error of any two trajectory files (TUM, KITTI, Oxford csv)");
  command->add_option("--groundtruth", options->groundtruth, "The true trajectory")
      ->required()
      ->type_name("FILE");
  command->add_option("--estimate", options->estimate, "The trajectory to be judged")
      ->required()
      ->type_name("FILE");
  command->add_option("--step", options->step, "Frames from one segment's start to the next")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--angle", options->angle,
                   "How rotation errors are computed: atan2 (exact) or acos (as others do)")
      ->type_name("NAME")
      ->capture_default_str();
  add_json_option(*command, options->json);
  command->callback([options, &run] { run = [options] { return run_evaluate(*options); }; });
}

}  // namespace fmbym::app
