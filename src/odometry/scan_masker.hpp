// The learnt masks of a pair of scans, for the methods that have them; for the others it does nothing.
#pragma once

#include <optional>

#include "fmbym/masking/mask_network.hpp"
#include "fmbym/odometry/odometry.hpp"

namespace fmbym {

class ScanMasker {
 public:
  explicit ScanMasker(const OdometryConfig& config);

  // The masks of this pair are used until the next pair or forget(). Returns the time it took [ms].
  double predict(const Image& current, const Image& reference);
  void forget() { masks_.reset(); }
  bool has_masks() const { return masks_.has_value(); }

  // Multiply the masks onto images of the pair; without masks, the images stay as they are.
  void mask_current(Image& image) const;
  void mask_reference(Image& image) const;

  MatchedImages with_masks(const Image& current, const Image& reference) const;

 private:
  std::optional<MaskNetwork> network_;
  std::optional<Masks> masks_;  // of the network
};

}  // namespace fmbym
