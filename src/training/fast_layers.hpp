// The network's layers for training on a processor: what torch's operators compute, up to rounding, in less
// time. For single precision on the CPU; anything else goes to torch's own operators.
//
// None of them starts a thread, keeps state or depends on anything but its arguments: networks on different
// threads do not meet, and the same input gives the same bits. For their gradients they keep what their input
// was made of, and make it again.
#pragma once

#include <torch/nn/modules/batchnorm.h>
#include <torch/types.h>

#include "training/images.hpp"

namespace fmbym::training {

// With weights (out, in, 3, 3) and a margin of zeros: as large as it was.
torch::Tensor convolve3x3(const Images& in, const torch::Tensor& weight);

// relu(norm(in)); while training with the statistics of the batch, which join the running ones.
Images normalise_relu(torch::nn::BatchNorm2dImpl& norm, const torch::Tensor& in);

// The largest of 2 by 2 pixels; of an odd size the last row and column are left out.
torch::Tensor pool2x2(const Images& in);

// The small images stretched bilinearly to the size of the large ones, then the channels of the large ones.
Images stretch_and_join(const Images& small, const Images& large);

}  // namespace fmbym::training
