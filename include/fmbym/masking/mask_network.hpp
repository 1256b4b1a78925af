// The mask network at work: two scans go in, two masks come out.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fmbym/core/image.hpp"
#include "fmbym/masking/mask_model.hpp"

namespace fmbym {

inline constexpr int kSmallestMask = 64;  // pixels a side: five times halved, something must be left

// From 0, hide, to 1, keep.
struct Masks {
  const Image& current;
  const Image& reference;
};

// Throws Error, beginning with `name`, if the layers of a model in 8 bits do not fit together.
void check_units(const MaskModel& model, const std::string& name);

class MaskPlan;

// Weights are laid out and all memory is taken when it is made; predicting allocates nothing.
class MaskNetwork {
 public:
  // For images of this size, odd or even, at least kSmallestMask; throws Error. The calling thread is one of
  // the threads.
  MaskNetwork(const MaskModel& model, int size, int threads = 1);
  ~MaskNetwork();
  MaskNetwork(MaskNetwork&&) noexcept;
  MaskNetwork& operator=(MaskNetwork&&) noexcept;

  int size() const;

  // Valid until the next call.
  Masks predict(const Image& current, const Image& reference);
  // The mean of the masks that each image gets in both orders of the pair, in twice the time.
  Masks predict_both_ways(const Image& current, const Image& reference);

  // What one of convolutions() made of the last pair, (channel, row, column): after its ReLU, before the
  // sigmoid. For calibration and tests.
  std::vector<float> activations(int convolution) const;

 private:
  std::unique_ptr<MaskPlan> plan_;
  Image current_mean_, reference_mean_;  // of both ways
};

// Multiplies the mask onto the image.
void apply_mask(const Image& mask, Image& image);

}  // namespace fmbym
