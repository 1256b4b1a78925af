#include "training/examples.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <numbers>

#include "fmbym/core/error.hpp"
#include "fmbym/odometry/local_map.hpp"
#include "fmbym/odometry/sightings.hpp"
#include "training/consistency.hpp"
#include "training/scan_images.hpp"

namespace fmbym::training {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kTurns = 2;  // with the quarters of Symmetry: sixteen directions

// How far a prediction may be off: standard deviations [m, m, rad].
constexpr double kPredictedX = 0.2, kPredictedY = 0.1, kPredictedYaw = 0.008;

// Scans from the partner, as often as they are to be drawn.
constexpr int kSteps[] = {1, 1, 1, 1, 1, 1, 2, 3};

double available_memory() {
  return double(::sysconf(_SC_AVPHYS_PAGES)) * double(::sysconf(_SC_PAGESIZE));
}

class Former {
 public:
  Former(const Datasets& datasets, const OdometryConfig& config, const ExampleOptions& options)
      : config_(config),
        options_(options),
        size_(config.imaging.size),
        turns_(options.augment ? kTurns : 1),
        team_(options.threads),
        random_(options.seed) {
    std::int64_t scans = 0;
    for (const auto& dataset : datasets) scans += std::int64_t(dataset->size());
    const std::int64_t images = scans * turns_ * (matches_maps() ? 2 : 1);
    require_memory(images);
    set_.any_gain = !matches_maps();  // the plain mask makes all scans equally bright
    set_.images = torch::empty({images, size_, size_}, torch::kHalf);
    if (options.targets) set_.targets = torch::empty({images, size_, size_}, torch::kByte);
  }

  void add(const Dataset& dataset) {
    if (dataset.ground_truth().empty()) refuse(dataset);
    const std::size_t first = set_.choices.size();
    set_.choices.resize(first + dataset.size());
    for (int turn = 0; turn < turns_; ++turn) {
      const ScanImages scans =
          form_images(dataset, config_, kPi / 2 * turn / turns_, options_.targets, team_);
      const std::int64_t base = keep_scans(scans);
      if (matches_maps())
        pair_with_maps(scans, base, first);
      else
        pair_with_scans(dataset, scans, base, first);
    }
    std::erase_if(set_.choices, [](const auto& examples) { return examples.empty(); });
    if (set_.choices.size() == first) refuse(dataset);
  }

  ExampleSet take() { return std::move(set_); }

 private:
  [[noreturn]] static void refuse(const Dataset& dataset) {
    throw Error(fmt::format(
        "{}: no two successive scans with ground truth; training needs gt/radar_odometry.csv for them",
        dataset.file(0).parent_path().parent_path().string()));
  }

  bool matches_maps() const { return config_.preset == Preset::standard; }

  void require_memory(std::int64_t images) const {
    const double bytes = double(images) * size_ * size_ * (options_.targets ? 3 : 2);
    if (bytes > available_memory())
      throw Error(fmt::format(
          "{} images of {} pixels a side need {:.1f} GB of memory, and {:.1f} GB are free; train with fewer "
          "sequences, at a lower --resolution, or without --augment",
          images, size_, bytes * 1e-9, available_memory() * 1e-9));
  }

  void keep(const Image& image, std::int64_t index) {
    set_.images[index].copy_(
        torch::from_blob(const_cast<float*>(image.pixels().data()), {size_, size_}, torch::kFloat));
  }

  // Returns the index of the first.
  std::int64_t keep_scans(const ScanImages& scans) {
    const std::int64_t base = next_;
    next_ += std::int64_t(scans.images.size());
    auto work = [&](int member) {
      for (auto i = std::size_t(member); i < scans.images.size(); i += std::size_t(team_.members()))
        keep(scans.images[i], base + std::int64_t(i));
    };
    team_.run(work);
    make_targets(scans, scans.T_world, base);
    return base;
  }

  // For images seen from these poses, each near the scan of the same index.
  void make_targets(const ScanImages& scans, const std::vector<std::optional<SE2>>& T_world_view,
                    std::int64_t base) {
    if (!options_.targets) return;
    const auto& shown = scans.unmasked.empty() ? scans.images : scans.unmasked;
    auto work = [&](int member) {
      Consistency consistency(size_);
      for (auto i = std::size_t(member); i < shown.size(); i += std::size_t(team_.members())) {
        if (!T_world_view[i]) continue;
        const auto& target = consistency.seen_from(*T_world_view[i], i, shown, scans.T_world);
        std::copy(target.begin(), target.end(),
                  set_.targets[base + std::int64_t(i)].data_ptr<unsigned char>());
      }
    };
    team_.run(work);
  }

  void pair_with_scans(const Dataset& dataset, const ScanImages& scans, std::int64_t base,
                       std::size_t first) {
    const auto& T_world = scans.T_world;
    const auto seen = [&](std::size_t current, std::size_t reference) {
      const SE2 motion = T_world[reference]->inverse() * *T_world[current];
      if (!config_.mind_sightings) return motion;
      return between_sightings(motion,
                               turns_between(dataset.timestamp_us(reference), dataset.timestamp_us(current),
                                             scans.turn_time[current]));
    };
    for (std::size_t i = 1; i < T_world.size(); ++i) {
      const auto add_pair = [&](std::size_t current, std::size_t reference) {
        if (!T_world[current] || !T_world[reference]) return;
        set_.choices[first + i].push_back(
            {base + std::int64_t(current), base + std::int64_t(reference), seen(current, reference)});
      };
      add_pair(i, i - 1);
      if (!options_.augment || !T_world[i] || !T_world[i - 1]) continue;
      for (const int step : kSteps) {
        if (i < std::size_t(step)) continue;
        add_pair(i, i - std::size_t(step));
        add_pair(i - std::size_t(step), i);
      }
    }
  }

  // The maps follow the scans in the images.
  void pair_with_maps(const ScanImages& scans, std::int64_t base, std::size_t first) {
    LocalMap map(config_.map, size_, config_.imaging.metres_per_pixel);
    Image view(size_, config_.imaging.metres_per_pixel);
    std::vector<std::optional<SE2>> views(scans.T_world.size());
    for (std::size_t i = 0; i < scans.images.size(); ++i) {
      const std::int64_t index = next_ + std::int64_t(i);
      if (!scans.T_world[i]) {
        map.clear();  // what comes after may lie anywhere
        continue;
      }
      const SE2 T_world_scan = *scans.T_world[i];
      if (!map.empty()) {
        const SE2 T_scan_view = prediction_error();
        views[i] = T_world_scan * T_scan_view;
        map.look_from(*views[i], view);
        keep(view, index);
        set_.choices[first + i].push_back({base + std::int64_t(i), index, T_scan_view.inverse()});
      }
      if (map.is_keyframe(T_world_scan)) map.add(scans.images[i], T_world_scan);
    }
    make_targets(scans, views, next_);
    next_ += std::int64_t(scans.images.size());
  }

  SE2 prediction_error() {
    std::normal_distribution<double> normal;
    return {kPredictedX * normal(random_), kPredictedY * normal(random_), kPredictedYaw * normal(random_)};
  }

  const OdometryConfig& config_;
  ExampleOptions options_;
  int size_, turns_;
  ThreadTeam team_;
  std::mt19937_64 random_;
  ExampleSet set_;
  std::int64_t next_ = 0;  // image
};

}  // namespace

ExampleSet form_examples(const Datasets& datasets, const OdometryConfig& config,
                         const ExampleOptions& options) {
  Former former(datasets, config, options);
  for (const auto& dataset : datasets) former.add(*dataset);
  return former.take();
}

}  // namespace fmbym::training
