#include "fmbym/matching/exhaustive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "fmbym/core/error.hpp"
#include "fmbym/core/stopwatch.hpp"
#include "fmbym/core/thread_team.hpp"
#include "matching/match_result.hpp"
#include "matching/peak.hpp"
#include "matching/translation_search.hpp"

namespace fmbym {
namespace {

// One thread's share of the search.
struct Worker {
  Worker(int size, int max_lag, bool remove_mean)
      : search(size, max_lag, remove_mean), best_surface(search.surface().size()) {}

  TranslationSearch search;
  int best_candidate = -1;
  double best = 0;
  std::vector<float> best_surface;
};

class ExhaustiveMatcher final : public Matcher {
 public:
  ExhaustiveMatcher(const ExhaustiveConfig& config, int size, double metres_per_pixel, int threads)
      : config_(config),
        geometry_(size, metres_per_pixel),
        max_lag_(max_lag_pixels(config.max_translation, size, metres_per_pixel)),
        steps_(config.yaw_steps()),
        limits_{metres_per_pixel, max_lag_ * metres_per_pixel, config.max_yaw},
        moments_(std::size_t(2 * steps_ + 1)),
        curve_(moments_.size()),
        vertices_(moments_.size()),
        team_(std::min(threads, static_cast<int>(moments_.size()))) {
    for (int i = 0; i < team_.members(); ++i)
      workers_.push_back(std::make_unique<Worker>(size, max_lag_, config.remove_mean));
  }

  Match match(const Image& current, const Image& previous) override {
    require_geometry(current, previous, geometry_);
    has_evidence_ = !is_blank(current) && !is_blank(previous);
    if (!has_evidence_) return undetermined_match(limits_);
    Stopwatch watch;
    search(current, previous);
    Match result;
    const LagEstimate estimate = combine();
    const Surface surface = best_surface();
    const SurfaceMoments& best = moments_[std::size_t(best_worker().best_candidate)];
    result.yaw_peak_ratio = yaw_peak().ratio;
    result.translation_peak_ratio =
        peak_ratio(surface, best.best_row, best.best_column, translation_lobe(limits_.metres_per_lag));
    result.correlation = best.best;
    finish_match(estimate, limits_, result);
    shift_ = estimate.shift;
    result.timings.translation_ms = watch.lap_ms();
    return result;
  }

  MatchEvidence evidence() const override {
    MatchEvidence evidence;
    if (!has_evidence_) return evidence;
    for (std::size_t i = 0; i < curve_.size(); ++i) {
      evidence.yaw.push_back(yaw_of(static_cast<int>(i)));
      evidence.yaw_score.push_back(curve_[i]);
    }
    evidence.side = 2 * max_lag_ + 1;
    evidence.metres_per_cell = limits_.metres_per_lag;
    evidence.translation = best_worker().best_surface;
    evidence.shift = {-shift_.row * limits_.metres_per_lag, shift_.column * limits_.metres_per_lag};
    return evidence;
  }

 private:
  double yaw_of(int candidate) const { return (candidate - steps_) * config_.yaw_step; }

  void search(const Image& current, const Image& previous) {
    TranslationSearch& first = workers_.front()->search;
    first.set_current(current);
    for (auto& worker : workers_) worker->search.share_current(first);
    auto share = [&](int member) { search_share(*workers_[std::size_t(member)], member, previous); };
    team_.run(share);
  }

  // Every members()-th candidate. Keeps the moments of each, and the surface of the best.
  void search_share(Worker& worker, int member, const Image& previous) {
    worker.best_candidate = -1;
    for (int i = member; i < static_cast<int>(moments_.size()); i += team_.members()) {
      const Surface surface{worker.search.correlate(previous, yaw_of(i)), worker.search.side()};
      SurfaceMoments& moments = moments_[std::size_t(i)];
      moments = surface_moments(surface, config_.temperature);
      curve_[std::size_t(i)] = static_cast<float>(moments.best);
      vertices_[std::size_t(i)] = parabola_vertex(surface, moments.best_row, moments.best_column);
      if (worker.best_candidate < 0 || moments.best > worker.best) {
        worker.best_candidate = i;
        worker.best = moments.best;
        std::copy(surface.scores.begin(), surface.scores.end(), worker.best_surface.begin());
      }
    }
  }

  const Worker& best_worker() const {
    const Worker* best = workers_.front().get();
    for (const auto& worker : workers_)
      if (worker->best > best->best ||
          (worker->best == best->best && worker->best_candidate < best->best_candidate))
        best = worker.get();
    return *best;
  }
  CurvePeak yaw_peak() const {
    return curve_peak(curve_, config_.yaw_peak, config_.temperature, yaw_lobe(config_.yaw_step));
  }
  Surface best_surface() const { return {best_worker().best_surface, 2 * max_lag_ + 1}; }

  // A little rotation can look like a little shift where there is more to see on one side, so that the shift
  // belongs to its rotation: linear between the two candidates around it, where they show the same peak.
  SurfacePosition vertex_at(double yaw) const {
    constexpr double same_peak = 2;  // [lag]; half a degree moves the edge of the paper's images by about one
    const double last = static_cast<double>(vertices_.size() - 1);
    const double candidate = std::clamp(yaw / config_.yaw_step + steps_, 0.0, last);
    const SurfacePosition& before = vertices_[static_cast<std::size_t>(candidate)];
    const SurfacePosition& after = vertices_[static_cast<std::size_t>(std::ceil(candidate))];
    if (std::hypot(after.row - before.row, after.column - before.column) > same_peak)
      return vertices_[std::size_t(best_worker().best_candidate)];
    const double weight = candidate - std::floor(candidate);
    return {before.row + weight * (after.row - before.row),
            before.column + weight * (after.column - before.column)};
  }

  // The soft arg-max over the three axes, from the moments of every candidate, in their order whoever made
  // them.
  LagEstimate combine() const {
    const Worker& best = best_worker();
    const SoftWeight weight(best.best, config_.temperature);
    LagEstimate estimate;
    SurfaceMoments& sum = estimate.spread;
    double yaw = 0, yaw_yaw = 0;
    for (std::size_t i = 0; i < moments_.size(); ++i) {
      const SurfaceMoments& m = moments_[i];
      const double w = weight(m.best), candidate = yaw_of(static_cast<int>(i));
      sum.weight += w * m.weight;
      sum.row += w * m.row;
      sum.column += w * m.column;
      sum.row_row += w * m.row_row;
      sum.row_column += w * m.row_column;
      sum.column_column += w * m.column_column;
      yaw += w * m.weight * candidate;
      yaw_yaw += w * m.weight * candidate * candidate;
    }
    estimate.yaw = yaw / sum.weight;
    estimate.yaw_variance = yaw_yaw / sum.weight - estimate.yaw * estimate.yaw +
                            kLagVariance * config_.yaw_step * config_.yaw_step;
    estimate.shift = {sum.row / sum.weight, sum.column / sum.weight};
    if (config_.yaw_peak == PeakPolicy::parabola) estimate.yaw = yaw_peak().position * config_.yaw_step;
    if (config_.translation_peak == PeakPolicy::parabola) estimate.shift = vertex_at(estimate.yaw);
    return estimate;
  }

  ExhaustiveConfig config_;
  Image geometry_;
  int max_lag_;
  int steps_;  // rotation candidates to either side of 0
  SearchLimits limits_;
  std::vector<SurfaceMoments> moments_;    // one a candidate
  std::vector<float> curve_;               // the highest coefficient of each
  std::vector<SurfacePosition> vertices_;  // and where a parabola through it has its vertex
  std::vector<std::unique_ptr<Worker>> workers_;
  ThreadTeam team_;
  SurfacePosition shift_;  // of the last match
  bool has_evidence_ = false;
};

}  // namespace

int ExhaustiveConfig::yaw_steps() const {
  return static_cast<int>(std::floor(max_yaw / yaw_step + 1e-9));
}

void ExhaustiveConfig::validate() const {
  const auto require = [](bool good, const char* what) {
    if (!good) throw Error(fmt::format("matching.exhaustive: {}", what));
  };
  require(max_yaw >= 0 && max_yaw <= std::numbers::pi, "max_yaw must be from 0 to π");
  require(yaw_step > 1e-5 && std::isfinite(yaw_step), "yaw_step must be above 1e-5");
  require(temperature > 0, "temperature must be above 0");
  require(max_translation >= 0 && std::isfinite(max_translation),
          "max_translation must be 0 or a length in metres");
}

std::unique_ptr<Matcher> make_exhaustive_matcher(const ExhaustiveConfig& config, int size,
                                                 double metres_per_pixel, int threads) {
  config.validate();
  if (threads < 1 || threads > 256)
    throw Error(fmt::format("{} threads: a number from 1 to 256 is needed", threads));
  return std::make_unique<ExhaustiveMatcher>(config, size, metres_per_pixel, threads);
}

}  // namespace fmbym
