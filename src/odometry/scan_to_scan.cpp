#include <utility>

#include "fmbym/core/stopwatch.hpp"
#include "odometry/pipeline.hpp"

namespace fmbym {
namespace {

class ScanToScan final : public Pipeline {
 public:
  explicit ScanToScan(const OdometryConfig& config)
      : imager_(config.imaging), matcher_(make_matcher(config)) {}

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
      result.match = matcher_->match(current_, previous_);
      result.T_prev_curr = result.match.T_prev_curr;
    }
    result.match_ms = watch.lap_ms();
    return result;
  }

  MatchedImages images() const override { return {current_, previous_}; }
  MatchEvidence evidence() const override { return matcher_->evidence(); }

 private:
  CartesianImager imager_;
  std::unique_ptr<Matcher> matcher_;
  Image current_, previous_;
};

}  // namespace

std::unique_ptr<Pipeline> make_scan_to_scan(const OdometryConfig& config) {
  return std::make_unique<ScanToScan>(config);
}

}  // namespace fmbym
