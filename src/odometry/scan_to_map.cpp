#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "fmbym/core/pyramid.hpp"
#include "fmbym/core/stopwatch.hpp"
#include "fmbym/matching/refinement.hpp"
#include "matching/match_result.hpp"
#include "odometry/match_covariance.hpp"
#include "odometry/pipeline.hpp"
#include "odometry/scan_masker.hpp"

namespace fmbym {
namespace {

constexpr double kScanPeriod = 0.25;   // [s], where the timestamps do not tell
constexpr double kVisible = 0.1;       // [pixel]
constexpr int kFirstRounds = 3;        // of matching the second scan and redrawing the first
constexpr double kSamePeak = 1;        // [m]; a climb from so near ends at the same peak
constexpr double kSamePeakYaw = 0.02;  // [rad], likewise
constexpr int kLostScans = 3;          // with something to see, yet not matched: the map shows another place

double seconds_between(std::int64_t from_us, std::int64_t to_us) {
  return to_us > from_us ? static_cast<double>(to_us - from_us) * 1e-6 : kScanPeriod;
}

// Poses are in the frame of the map, which is the first scan's. The view is the map seen from where the
// current scan is expected. It is made of scans without learnt masks: the network masks it as a whole, as it
// did in training.
class ScanToMap final : public Pipeline {
 public:
  explicit ScanToMap(const OdometryConfig& config)
      : config_(config),
        imager_(config.imaging),
        mask_(config.plain_mask),
        masker_(config),
        coarse_current_(config.imaging.size, config.imaging.metres_per_pixel,
                        config.refine ? config.search_pixel : 0),
        coarse_view_(coarse_current_),
        nearby_(make_tracking_matcher(coarse(config))),
        anywhere_(make_matcher(coarse(config))),
        refinement_(config.imaging.size, config.imaging.metres_per_pixel),
        motion_(config.motion),
        map_(config.map, config.imaging.size, config.imaging.metres_per_pixel),
        view_(config.imaging.size, config.imaging.metres_per_pixel) {
    masker_.set_current(current_);
    masker_.set_reference(view_);
  }

  Registration register_scan(const PolarScan& scan) override {
    Registration result;
    Stopwatch watch;
    load(scan);
    result.image_ms = watch.lap_ms();
    if (map_.empty()) {
      first_ = imager_;
      keep(T_map_last_, scan.timestamp_us);
      result.match.reliable = true;  // it is where the world begins
      return result;
    }
    const double seconds = seconds_between(last_match_us_, scan.timestamp_us);
    T_map_view_ = T_map_match_ * motion_.predict(seconds);
    look();
    result.mask_ms = masker_.predict();  // an image formed anew or a map redrawn keeps its mask
    const bool tracked = try_match(*nearby_, seconds, result.match);
    bool found = tracked || try_match(*anywhere_, seconds, result.match);
    for (int i = 0; found && first_ && i < kFirstRounds; ++i) {
      redraw_first(seconds);
      found = try_match(*searched_, seconds, result.match);
    }
    if (found) first_.reset();
    if (found && masker_.has_network() && largest_shift(T_view_curr_) > config_.mask_again)
      mask_again(seconds, result);
    result.recovered = found && (!tracked || bridged_);
    result.bridged = !found;

    const SE2 T_map_curr = found ? settled(T_map_view_ * T_view_curr_) : T_map_view_;
    result.T_prev_curr = T_map_last_.inverse() * T_map_curr;
    finish(seconds, result);
    T_map_last_ = T_map_curr;
    if (found) {
      motion_.observe(T_map_match_.inverse() * T_map_curr, seconds);
      keep(T_map_curr, scan.timestamp_us);
    } else {
      bridge(T_map_curr, scan.timestamp_us);
    }
    result.match_ms = watch.lap_ms() - result.mask_ms;
    return result;
  }

  MatchedImages images() const override { return masker_.images(); }
  MatchEvidence evidence() const override { return searched_->evidence(); }

 private:
  OdometryConfig coarse(OdometryConfig config) const {
    config.imaging = {coarse_current_.size(), coarse_current_.metres_per_pixel()};
    return config;
  }

  void load(const PolarScan& scan) {
    imager_.load(scan);
    if (config_.mask) mask_.apply(imager_.profile());
    masker_.forget();
    form_image(motion_.velocity());
  }

  void form_image(const Twist2& velocity) {
    formed_ = config_.compensate ? velocity : Twist2{};
    current_ = imager_.form(formed_, std::move(current_));
    masker_.set_current(current_);
  }

  void look() {
    map_.look_from(T_map_view_, view_);
    masker_.set_reference(view_);
  }

  Match searched(Matcher& search) {
    searched_ = &search;
    return search.match(coarse_current_.reduce(masker_.current()), coarse_view_.reduce(masker_.reference()));
  }

  // Search and refine, take out the motion that was found, and once more. Whether to believe the result.
  bool try_match(Matcher& search, double seconds, Match& match) {
    match_images(search, seconds, match);
    const Twist2 velocity = mean_velocity(motion_of(T_view_curr_), seconds);
    if (shows(velocity)) {
      form_image(velocity);
      match_again(search, match);
    }
    return match.correlation >= config_.motion.min_correlation &&
           motion_.is_possible(motion_of(T_view_curr_), seconds);
  }

  void match_images(Matcher& search, double seconds, Match& match) {
    match = searched(search);
    T_view_curr_ = match.T_prev_curr;
    if (!config_.refine) return;
    refinement_.set_previous(masker_.reference());
    refinement_.set_current(masker_.current());
    take(likelier_peak(seconds), match);
  }

  void match_again(Matcher& search, Match& match) {
    if (config_.refine) {
      refinement_.set_current(masker_.current());
      take(refinement_.climb(T_view_curr_), match);
    } else {
      match = searched(search);
      T_view_curr_ = match.T_prev_curr;
    }
  }

  void take(const Refined& peak, Match& match) {
    T_view_curr_ = peak.T_prev_curr;
    match.correlation = peak.correlation;
    match.covariance = match_covariance(peak);
  }

  // The network favours what lies on the same pixel in both images; a scan that was expected elsewhere is
  // found a little towards there. So it is matched once more, with the map and the masks as seen from where
  // it is.
  void mask_again(double seconds, Registration& result) {
    const Match found = result.match;
    T_map_view_ = T_map_view_ * T_view_curr_;
    masker_.forget();
    look();
    result.mask_ms += masker_.predict();
    if (try_match(*nearby_, seconds, result.match)) return;
    result.match = found;
    T_view_curr_ = {};
    form_image(mean_velocity(motion_of({}), seconds));
  }

  // Whether the image with this velocity differs from the one at hand: by a tenth of a pixel somewhere.
  bool shows(const Twist2& velocity) const {
    const double half_turn = imager_.turn_time() / 2;
    const SE2 moved{(velocity.x - formed_.x) * half_turn, (velocity.y - formed_.y) * half_turn,
                    (velocity.yaw - formed_.yaw) * half_turn};
    return config_.compensate && largest_shift(moved) > kVisible;
  }

  // Of anything in an image [pixels], but for the corners.
  double largest_shift(const SE2& motion) const {
    const ImagingConfig& imaging = config_.imaging;
    return std::hypot(motion.x, motion.y) / imaging.metres_per_pixel +
           std::abs(motion.yaw) * imaging.size / 2;
  }

  // It was imaged before its motion was known.
  void redraw_first(double seconds) {
    if (!config_.compensate) return;
    map_.clear();
    map_.add(first_->form(mean_velocity(motion_of(T_view_curr_), seconds)), T_map_match_);
    look();
  }

  // Near where the search found it, or near where it was expected: along a street one place looks like
  // another.
  Refined likelier_peak(double seconds) const {
    const auto score = [&](const Refined& peak) {
      return peak.correlation * motion_.likelihood(motion_of(peak.T_prev_curr), seconds);
    };
    const Refined found = refinement_.climb(T_view_curr_);
    const bool as_expected =
        std::hypot(T_view_curr_.x, T_view_curr_.y) < kSamePeak && std::abs(T_view_curr_.yaw) < kSamePeakYaw;
    if (as_expected) return found;
    const Refined expected = refinement_.climb({});
    return score(found) > score(expected) ? found : expected;
  }

  // Since the last scan that was matched.
  SE2 motion_of(const SE2& T_view_curr) const { return T_map_match_.inverse() * T_map_view_ * T_view_curr; }

  // Where the vehicle stands it stays; the map keeps small steps from being lost.
  SE2 settled(const SE2& T_map_curr) const {
    return motion_.is_still(T_map_last_.inverse() * T_map_curr) ? T_map_last_ : T_map_curr;
  }

  // From the view's frame to the last scan's.
  void finish(double seconds, Registration& result) const {
    Match& match = result.match;
    match.T_prev_curr = result.T_prev_curr;
    match.reliable = !result.bridged;
    match.covariance = result.bridged
                           ? motion_.covariance(seconds)
                           : motion_covariance(match.covariance, (T_map_last_.inverse() * T_map_view_).yaw,
                                               std::hypot(result.T_prev_curr.x, result.T_prev_curr.y));
  }

  void keep(const SE2& T_map_curr, std::int64_t timestamp_us) {
    if (map_.is_keyframe(T_map_curr)) map_.add(current_, T_map_curr);
    T_map_match_ = T_map_curr;
    last_match_us_ = timestamp_us;
    bridged_ = false;
    unmatched_ = 0;
  }

  void bridge(const SE2& T_map_curr, std::int64_t timestamp_us) {
    if (!is_blank(current_) && ++unmatched_ >= kLostScans) {
      map_.clear();
      if (first_) first_ = imager_;  // the world begins anew, still before any motion
      keep(T_map_curr, timestamp_us);
    }
    bridged_ = true;
  }

  OdometryConfig config_;
  CartesianImager imager_;
  std::optional<CartesianImager> first_;  // with the first scan, until the second
  PlainMask mask_;
  ScanMasker masker_;  // by the network
  Pyramid coarse_current_, coarse_view_;
  std::unique_ptr<Matcher> nearby_, anywhere_;
  Matcher* searched_ = nearby_.get();  // the last time
  Refinement refinement_;
  MotionModel motion_;
  LocalMap map_;
  Image current_, view_;  // without learnt masks
  Twist2 formed_;         // the velocity taken out of the current image
  SE2 T_map_view_, T_view_curr_;
  SE2 T_map_last_;   // the scan before, matched or bridged
  SE2 T_map_match_;  // the last that was matched
  std::int64_t last_match_us_ = 0;
  bool bridged_ = false;  // the last scan
  int unmatched_ = 0;     // scans since the last match, blank ones apart
};

}  // namespace

std::unique_ptr<Pipeline> make_scan_to_map(const OdometryConfig& config) {
  return std::make_unique<ScanToMap>(config);
}

}  // namespace fmbym
