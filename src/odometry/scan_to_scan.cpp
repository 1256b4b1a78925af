#include <utility>

#include "fmbym/core/stopwatch.hpp"
#include "fmbym/odometry/sightings.hpp"
#include "odometry/pipeline.hpp"
#include "odometry/scan_masker.hpp"

namespace fmbym {
namespace {

class ScanToScan final : public Pipeline {
 public:
  explicit ScanToScan(const OdometryConfig& config)
      : imager_(config.imaging),
        masker_(config),
        matcher_(make_matcher(config)),
        mind_sightings_(config.mind_sightings) {
    masker_.set_current(current_);
    masker_.set_reference(previous_);
  }

  Registration register_scan(const PolarScan& scan) override {
    Registration result;
    const bool is_first = current_.size() == 0;
    Stopwatch watch;
    previous_ = imager_.form(scan, std::move(previous_));  // if it throws, the current image is still there
    std::swap(current_, previous_);
    result.image_ms = watch.lap_ms();

    masker_.forget();
    masker_.set_current(current_);
    if (is_first) {
      result.match.reliable = true;  // it is where the world begins
    } else {
      masker_.set_reference(previous_);
      result.mask_ms = masker_.predict();
      result.match = matcher_->match(masker_.current(), masker_.reference());
      result.T_prev_curr = motion_to(scan, result.match.T_prev_curr);
    }
    previous_us_ = scan.timestamp_us;
    result.match_ms = watch.lap_ms() - result.mask_ms;
    return result;
  }

  MatchedImages images() const override { return masker_.images(); }
  MatchEvidence evidence() const override { return matcher_->evidence(); }

 private:
  SE2 motion_to(const PolarScan& scan, const SE2& seen) const {
    if (!mind_sightings_) return seen;
    return between_scans(seen, turns_between(previous_us_, scan.timestamp_us, imager_.turn_time()));
  }

  CartesianImager imager_;
  ScanMasker masker_;
  std::unique_ptr<Matcher> matcher_;
  Image current_, previous_;
  std::int64_t previous_us_ = 0;  // when the scan before was taken
  bool mind_sightings_;
};

}  // namespace

std::unique_ptr<Pipeline> make_scan_to_scan(const OdometryConfig& config) {
  return std::make_unique<ScanToScan>(config);
}

}  // namespace fmbym
