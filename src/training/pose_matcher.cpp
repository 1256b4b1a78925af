#include "training/pose_matcher.hpp"

#include <torch/utils.h>

#include <utility>

#include "fmbym/core/error.hpp"
#include "training/exhaustive_matcher.hpp"
#include "training/fourier_matcher.hpp"
#include "training/image_pyramid.hpp"
#include "training/refinement.hpp"

namespace fmbym::training {
namespace {

constexpr int kStepsFromSearch = 20;  // as many as the run time takes at most
constexpr int kStepsFromStart = 3;

template <class Search>
class SearchMatcher final : public PoseMatcher {
 public:
  explicit SearchMatcher(Search search) : search_(std::move(search)) {}

  torch::Tensor match(const torch::Tensor& current, const torch::Tensor& reference,
                      const torch::Tensor& /*start*/, const torch::Tensor& temperatures) const override {
    return search_.match(current, reference, temperatures);
  }

  JudgedPoses judge(const torch::Tensor& current, const torch::Tensor& reference, const torch::Tensor& truth,
                    const torch::Tensor& temperatures) const override {
    return search_.judge(current, reference, truth, temperatures);
  }

 private:
  Search search_;
};

std::unique_ptr<PoseMatcher> make_search(const OdometryConfig& config, const torch::TensorOptions& options) {
  const auto& [size, metres_per_pixel] = config.imaging;
  if (is_decoupled(config.method))
    return std::make_unique<SearchMatcher<FourierMatcher>>(
        FourierMatcher(config.fourier, size, metres_per_pixel, options));
  return std::make_unique<SearchMatcher<ExhaustiveMatcher>>(
      ExhaustiveMatcher(config.exhaustive, size, metres_per_pixel, options));
}

// A search around no motion on smaller images, then the climb on these.
class RefiningMatcher final : public PoseMatcher {
 public:
  RefiningMatcher(const OdometryConfig& config, const torch::TensorOptions& options)
      : pyramid_(config.imaging, config.search_pixel),
        search_(make_search(coarse(config), options)),
        refinement_(config.imaging.size, config.imaging.metres_per_pixel, options) {}

  torch::Tensor match(const torch::Tensor& current, const torch::Tensor& reference,
                      const torch::Tensor& start, const torch::Tensor& /*temperatures*/) const override {
    if (start.defined()) return refinement_.climb(current, reference, start, kStepsFromStart);
    return refinement_.climb(current, reference, searched(current, reference), kStepsFromSearch);
  }

  JudgedPoses judge(const torch::Tensor&, const torch::Tensor&, const torch::Tensor&,
                    const torch::Tensor&) const override {
    throw Error("--likelihood: a refined match has no soft arg-max that would say how likely it is");
  }

 private:
  OdometryConfig coarse(OdometryConfig config) const {
    config.imaging = pyramid_.coarse();
    return tracking_config(config);
  }

  // A peak does not move with where its climb began: no gradients here.
  torch::Tensor searched(const torch::Tensor& current, const torch::Tensor& reference) const {
    const torch::NoGradGuard no_gradients;
    return search_->match(pyramid_.reduce(current), pyramid_.reduce(reference));
  }

  ImagePyramid pyramid_;
  std::unique_ptr<PoseMatcher> search_;
  Refinement refinement_;
};

}  // namespace

std::unique_ptr<PoseMatcher> make_pose_matcher(const OdometryConfig& config,
                                               const torch::TensorOptions& options) {
  if (config.preset == Preset::paper) return make_search(config, options);
  if (!config.refine) return make_search(tracking_config(config), options);
  return std::make_unique<RefiningMatcher>(config, options);
}

}  // namespace fmbym::training
