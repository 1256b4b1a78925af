// What a run of odometry leaves behind: scores, summary.json, trajectories, increments and the configuration.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/json.hpp"
#include "app/model_choice.hpp"
#include "app/sequence_run.hpp"
#include "fmbym/datasets/dataset.hpp"
#include "fmbym/evaluation/metrics.hpp"

namespace fmbym::app {

// An estimate measured against the truth, with the members `kitti` and `ate_m` of DESIGN's JSON.
struct Score {
  std::optional<KittiScore> kitti;  // absent when the path is too short
  double ate_m = 0;
};
Score score(const Trajectory& truth, const Trajectory& estimate, const KittiOptions& options = {});
Json kitti_json(const std::optional<KittiScore>& kitti);
std::string kitti_text(const std::optional<KittiScore>& kitti);  // "1.23 % and 4.56 °/km over 89 segments"

Trajectory trajectory_of(const SequenceRun& run);

// Against the ground truth of those scans that have one; absent where fewer than two do.
std::optional<Score> score(const SequenceRun& run, const Dataset& dataset);

// Everything about how the run was made.
Json config_json(const Setup& setup, const Dataset& dataset);

Json summary_json(const SequenceRun& run, const Setup& setup, const std::optional<Score>& score,
                  std::size_t gaps);
Json precision_json(const Setup& setup);  // what is not the network's work is done in fp32
Json sha256_json(const Setup& setup);     // of the model's file; null without a model

// Makes the folder where it is not there; throws Error where nothing can be written to it. Returns it.
std::filesystem::path make_output_folder(const std::filesystem::path& folder);

// trajectory_tum.txt, trajectory_kitti.txt, increments.csv, config.json, summary.json
void write_results(const std::filesystem::path& folder, const SequenceRun& run, const Json& config,
                   const Json& summary);

// The largest amount of memory this process has held [MB].
double peak_rss_mb();

}  // namespace fmbym::app
