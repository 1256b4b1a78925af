#include "odometry/scan_masker.hpp"

#include "fmbym/core/stopwatch.hpp"

namespace fmbym {

ScanMasker::ScanMasker(const OdometryConfig& config) {
  if (config.model) network_.emplace(*config.model, config.imaging.size, config.threads);
}

double ScanMasker::predict(const Image& current, const Image& reference) {
  if (!network_) return 0;
  Stopwatch watch;
  masks_.emplace(network_->predict(current, reference));
  return watch.lap_ms();
}

void ScanMasker::mask_current(Image& image) const {
  if (masks_) apply_mask(masks_->current, image);
}

void ScanMasker::mask_reference(Image& image) const {
  if (masks_) apply_mask(masks_->reference, image);
}

MatchedImages ScanMasker::with_masks(const Image& current, const Image& reference) const {
  return {current, reference, masks_ ? &masks_->current : nullptr, masks_ ? &masks_->reference : nullptr};
}

}  // namespace fmbym
