#include "odometry/scan_masker.hpp"

#include "fmbym/core/stopwatch.hpp"

namespace fmbym {

ScanMasker::ScanMasker(const OdometryConfig& config) : both_ways_(config.mask_both_ways) {
  if (config.model) network_.emplace(*config.model, config.imaging.size, config.threads);
}

void ScanMasker::set_current(const Image& image) {
  current_.image = &image;
  current_.put_on(masks_ ? &masks_->current : nullptr);
}

void ScanMasker::set_reference(const Image& image) {
  reference_.image = &image;
  reference_.put_on(masks_ ? &masks_->reference : nullptr);
}

double ScanMasker::predict() {
  if (!network_) return 0;
  Stopwatch watch;
  masks_.emplace(both_ways_ ? network_->predict_both_ways(*current_.image, *reference_.image)
                            : network_->predict(*current_.image, *reference_.image));
  current_.put_on(&masks_->current);
  reference_.put_on(&masks_->reference);
  return watch.lap_ms();
}

void ScanMasker::forget() {
  masks_.reset();
  current_.has_mask = reference_.has_mask = false;
}

MatchedImages ScanMasker::images() const {
  return {current(), reference(), masks_ ? &masks_->current : nullptr, masks_ ? &masks_->reference : nullptr};
}

void ScanMasker::Masked::put_on(const Image* mask) {
  has_mask = mask != nullptr;
  if (!has_mask) return;
  masked = *image;
  apply_mask(*mask, masked);
}

}  // namespace fmbym
