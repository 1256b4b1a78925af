#include "training/match_result.hpp"

namespace fmbym::training {
namespace {

// Every pixel the same: nothing to match.
torch::Tensor is_blank(const torch::Tensor& images) {
  return images.amax({1, 2}) == images.amin({1, 2});
}

}  // namespace

torch::Tensor finished_match(const torch::Tensor& yaw, const torch::Tensor& shift, double metres_per_lag,
                             const torch::Tensor& current, const torch::Tensor& previous) {
  const torch::Tensor c = yaw.cos(), s = yaw.sin();
  const torch::Tensor forward = -metres_per_lag * shift.select(1, 0),
                      right = metres_per_lag * shift.select(1, 1);
  const torch::Tensor pose = torch::stack({c * forward - s * right, s * forward + c * right, yaw}, 1);
  const torch::Tensor blank = is_blank(current.detach()) | is_blank(previous.detach());
  return torch::where(blank.unsqueeze(1), torch::zeros_like(pose), pose);
}

torch::Tensor shift_of(const torch::Tensor& poses, const torch::Tensor& yaw, double metres_per_lag) {
  const torch::Tensor c = yaw.cos(), s = yaw.sin(), x = poses.select(1, 0), y = poses.select(1, 1);
  return torch::stack({-(c * x + s * y), c * y - s * x}, 1) / metres_per_lag;
}

}  // namespace fmbym::training
