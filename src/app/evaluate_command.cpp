// fmbym evaluate: the error of one or more trajectory files against another.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <set>

#include "app/command.hpp"
#include "app/note.hpp"
#include "app/options.hpp"
#include "app/results.hpp"
#include "app/run_report.hpp"
#include "fmbym/core/error.hpp"

namespace fmbym::app {
namespace {

namespace fs = std::filesystem;

struct EvaluateOptions {
  fs::path groundtruth, report;
  std::vector<fs::path> estimates;
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

// An estimate, and what came of comparing it.
struct Evaluated {
  fs::path file;
  Trajectory estimate;
  std::size_t poses = 0;  // that were compared
  double distance_m = 0;  // of the true path through them
  Score score;
};

Evaluated evaluate(const fs::path& file, const Trajectory& truth, const KittiOptions& options) {
  Evaluated result;
  result.file = file;
  result.estimate = read_trajectory(file).trajectory;
  const AssociatedPair pair = associate(truth, result.estimate);
  if (pair.dropped > 0)
    note("note: {} poses of the estimate have no partner in the ground truth\n", pair.dropped);
  result.poses = pair.truth.size();
  result.distance_m = path_length(pair.truth);
  result.score = score(pair.truth, pair.estimate, options);
  return result;
}

Json score_json(const Evaluated& evaluated) {
  return {{"kitti", kitti_json(evaluated.score.kitti)},
          {"ate_m", evaluated.score.ate_m},
          {"poses", evaluated.poses},
          {"distance_m", evaluated.distance_m}};
}

// One estimate's members as they are; a list where there are several.
Json json_of(const std::vector<Evaluated>& all) {
  if (all.size() == 1) return score_json(all.front());
  Json estimates = Json::array();
  for (const Evaluated& evaluated : all) {
    estimates.push_back({{"file", evaluated.file.string()}});
    estimates.back().update(score_json(evaluated));
  }
  return {{"estimates", estimates}};
}

void print_score(const Evaluated& evaluated) {
  const Score& score = evaluated.score;
  fmt::print("{} poses, {:.1f} m\n", evaluated.poses, evaluated.distance_m);
  fmt::print("  KITTI   {}\n", kitti_text(score.kitti));
  fmt::print("  ATE     {:.3f} m\n", score.ate_m);
  if (!score.kitti) return;
  fmt::print("  length       %     °/km  segments\n");
  for (const auto& [length, error] : score.kitti->by_length)
    fmt::print("  {:4} m {:9.3f} {:8.3f} {:9}\n", length, error.translation_percent,
               error.rotation_deg_per_km, error.segments);
}

void print_table(const std::vector<Evaluated>& all) {
  fmt::print("{:>9} {:>9} {:>9} {:>9} {:>9}  estimate\n", "%", "°/km", "ATE [m]", "path [m]", "poses");
  for (const Evaluated& evaluated : all) {
    const auto& kitti = evaluated.score.kitti;
    if (kitti)
      fmt::print("{:9.3f} {:9.3f}", kitti->mean.translation_percent, kitti->mean.rotation_deg_per_km);
    else
      fmt::print("{:>9} {:>9}", "-", "-");
    fmt::print(" {:9.3f} {:9.1f} {:9}  {}\n", evaluated.score.ate_m, evaluated.distance_m, evaluated.poses,
               evaluated.file.string());
  }
}

// As short as tells them apart: the files' names, their folders, or all of it.
std::vector<std::string> names_of(const std::vector<Evaluated>& all) {
  const auto named = [&](const auto& name) {
    std::vector<std::string> names;
    for (const Evaluated& evaluated : all) names.push_back(name(evaluated.file).string());
    return names;
  };
  const auto files = named([](const fs::path& file) { return file.filename(); });
  const auto folders = named([](const fs::path& file) { return file.parent_path(); });
  const auto different = [](const std::vector<std::string>& names) {
    return std::set(names.begin(), names.end()).size();
  };
  if (different(files) == all.size()) return files;
  if (different(files) == 1 && different(folders) == all.size()) return folders;
  return named([](const fs::path& file) { return file; });
}

void write_report(const EvaluateOptions& options, const Trajectory& truth, const KittiOptions& kitti,
                  const std::vector<Evaluated>& all) {
  if (options.report.empty()) return;
  Report report = begin_report(options.groundtruth.filename().string());
  report.truth = truth;
  report.kitti = kitti;
  const std::vector<std::string> names = names_of(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    ReportRun run;
    run.name = names[i];
    run.estimate = all[i].estimate;
    run.config_json = Json{
        {"groundtruth", options.groundtruth.string()},
        {"estimate", all[i].file.string()},
        {"step", kitti.step},
        {"angle",
         options.angle}}.dump(-1, ' ', false, Json::error_handler_t::replace);
    run.summary_json = score_json(all[i]).dump();
    report.runs.push_back(std::move(run));
  }
  write_html_report(options.report, report);
}

int run_evaluate(const EvaluateOptions& options) {
  const KittiOptions kitti = kitti_options(options);
  check_report(options.report);
  const Trajectory truth = read_trajectory(options.groundtruth).trajectory;
  std::vector<Evaluated> all;
  for (const fs::path& file : options.estimates) all.push_back(evaluate(file, truth, kitti));
  write_report(options, truth, kitti, all);
  if (options.json)
    fmt::print("{}\n", json_of(all).dump(2, ' ', false, Json::error_handler_t::replace));
  else if (all.size() > 1)
    print_table(all);
  else
    print_score(all.front());
  return kDone;
}

}  // namespace

void add_evaluate_command(CLI::App& program, Run& run) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App* command = program.add_subcommand(
      "evaluate", "KITTI and absolute error of trajectory files (TUM, KITTI, Oxford csv)");
  command->add_option("--groundtruth", options->groundtruth, "The true trajectory")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--estimate", options->estimates,
                   "The trajectory to be judged; again for each further one")
      ->required()
      ->allow_extra_args(false)
      ->type_name("FILE");
  command->add_option("--step", options->step, "Frames from one segment's start to the next")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--angle", options->angle,
                   "How rotation errors are computed: atan2 (exact) or acos (as others do)")
      ->type_name("NAME")
      ->capture_default_str();
  add_report_option(*command, options->report);
  add_json_option(*command, options->json);
  command->callback([options, &run] { run = [options] { return run_evaluate(*options); }; });
}

}  // namespace fmbym::app
