#include <utility>

#include "fmbym/core/stopwatch.hpp"
#include "odometry/pipeline.hpp"
#include "odometry/scan_masker.hpp"

namespace fmbym {
namespace {

class ScanToScan final : public Pipeline {
 public:
  explicit ScanToScan(const OdometryConfig& config)
      : imager_(config.imaging), masker_(config), matcher_(make_matcher(config)) {}

  Registration register_scan(const PolarScan& scan) override {
    Registration result;
    const bool is_first = current_.size() == 0;
    Stopwatch watch;
    std::swap(current_, previous_);
    current_ = imager_.form(scan, std::move(current_));
    result.image_ms = watch.lap_ms();

    if (is_first) {
      result.match.reliable = true;  // it is where the world begins
    } else {
      result.mask_ms = mask_pair();
      const MatchedImages pair = images();
      result.match = matcher_->match(pair.current, pair.reference);
      result.T_prev_curr = result.match.T_prev_curr;
    }
    result.match_ms = watch.lap_ms() - result.mask_ms;
    return result;
  }

  MatchedImages images() const override {
    return masker_.has_masks() ? masker_.with_masks(masked_current_, masked_previous_)
                               : MatchedImages{current_, previous_};
  }
  MatchEvidence evidence() const override { return matcher_->evidence(); }

 private:
  // Copies: the scan itself is masked anew with the next one. Returns the time of the network [ms].
  double mask_pair() {
    const double ms = masker_.predict(current_, previous_);
    if (!masker_.has_masks()) return ms;
    masked_current_ = current_;
    masked_previous_ = previous_;
    masker_.mask_current(masked_current_);
    masker_.mask_reference(masked_previous_);
    return ms;
  }

  CartesianImager imager_;
  ScanMasker masker_;
  std::unique_ptr<Matcher> matcher_;
  Image current_, previous_;
  Image masked_current_, masked_previous_;
};

}  // namespace

std::unique_ptr<Pipeline> make_scan_to_scan(const OdometryConfig& config) {
  return std::make_unique<ScanToScan>(config);
}

}  // namespace fmbym
