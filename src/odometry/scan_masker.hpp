// A pair of images on its way to the matcher: masked by the network for the methods that have one, as it is
// for the others.
#pragma once

#include <optional>

#include "fmbym/masking/mask_network.hpp"
#include "fmbym/odometry/odometry.hpp"

namespace fmbym {

class ScanMasker {
 public:
  explicit ScanMasker(const OdometryConfig& config);

  bool has_network() const { return network_.has_value(); }

  // The image must outlive its use here; it stays as it is. While there are masks they are put on it.
  void set_current(const Image& image);
  void set_reference(const Image& image);

  // The masks of the pair that was set: used until the next pair or forget(). Returns the time it took [ms].
  double predict();
  void forget();

  // What is to be matched.
  const Image& current() const { return current_.shown(); }
  const Image& reference() const { return reference_.shown(); }
  MatchedImages images() const;

 private:
  struct Masked {
    const Image* image = nullptr;
    Image masked;
    bool has_mask = false;

    void put_on(const Image* mask);
    const Image& shown() const { return has_mask ? masked : *image; }
  };

  std::optional<MaskNetwork> network_;
  bool both_ways_;
  std::optional<Masks> masks_;  // of the network
  Masked current_, reference_;
};

}  // namespace fmbym
