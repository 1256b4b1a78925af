#include "training/found_poses.hpp"

#include <utility>

#include "fmbym/datasets/prefetch.hpp"
#include "fmbym/odometry/odometry.hpp"

namespace fmbym::training {
namespace {

constexpr int kPixels = 511;  // the finest, so that coarser ones have something to learn

using Poses = std::vector<std::optional<SE2>>;

class WithPoses final : public Dataset {
 public:
  WithPoses(std::unique_ptr<Dataset> sequence, Poses T_world)
      : sequence_(std::move(sequence)), T_world_(std::move(T_world)) {}

  std::string format() const override { return sequence_->format(); }
  std::size_t size() const override { return sequence_->size(); }
  std::int64_t timestamp_us(std::size_t index) const override { return sequence_->timestamp_us(index); }
  std::filesystem::path file(std::size_t index) const override { return sequence_->file(index); }
  PolarScan read(std::size_t index) const override { return sequence_->read(index); }
  const SensorCalibration& calibration() const override { return sequence_->calibration(); }
  const Poses& ground_truth() const override { return T_world_; }
  const std::vector<std::string>& remarks() const override { return sequence_->remarks(); }

 private:
  std::unique_ptr<Dataset> sequence_;
  Poses T_world_;
};

}  // namespace

std::unique_ptr<Dataset> with_found_poses(std::unique_ptr<Dataset> sequence,
                                          const std::function<bool(std::size_t)>& go_on) {
  Odometry odometry(make_config(Method::f_raw, Preset::standard, kPixels));
  ScanPrefetcher scans(*sequence, all_scans(*sequence));
  Poses T_world(sequence->size());
  while (auto fetched = scans.next()) {
    const Registration found = odometry.register_scan(fetched->scan());
    if (!found.bridged) T_world[fetched->index] = found.T_world_curr;
    if (!go_on(fetched->index + 1)) return nullptr;
  }
  return std::make_unique<WithPoses>(std::move(sequence), std::move(T_world));
}

}  // namespace fmbym::training
