#include "fmbym/datasets/oxford.hpp"

#include <fmt/format.h>

#include <optional>
#include <system_error>
#include <utility>

#include "datasets/oxford_ground_truth.hpp"
#include "datasets/oxford_index.hpp"
#include "datasets/oxford_scan.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/datasets/sensor_file.hpp"

namespace fmbym::oxford {
namespace {

namespace fs = std::filesystem;

struct SensorOfSequence {
  int bins = 0;  // 0 if no scan could tell
  SensorCalibration calibration;
};

class OxfordDataset : public Dataset {
 public:
  OxfordDataset(ScanIndex index, GroundTruth truth, const SensorOfSequence& sensor,
                std::vector<std::string> remarks)
      : scans_(std::move(index.scans)),
        sensor_(sensor),
        ground_truth_(std::move(truth.poses)),
        remarks_(std::move(remarks)) {}

  std::string format() const override { return "oxford"; }
  std::size_t size() const override { return scans_.size(); }
  std::int64_t timestamp_us(std::size_t index) const override { return scans_.at(index).timestamp_us; }
  fs::path file(std::size_t index) const override { return scans_.at(index).file; }
  const SensorCalibration& calibration() const override { return sensor_.calibration; }
  const std::vector<std::optional<SE2>>& ground_truth() const override { return ground_truth_; }
  const std::vector<std::string>& remarks() const override { return remarks_; }

  PolarScan read(std::size_t index) const override {
    const fs::path& file = scans_.at(index).file;
    const png::GreyImage image = png::read(file);
    const int bins = bins_of(image.size, file);
    if (sensor_.bins != 0 && bins != sensor_.bins)
      throw Error(fmt::format(
          "{}: expected {} range bins as in the first scan, found {}; keep scans of one radar in a "
          "sequence",
          file.string(), sensor_.bins, bins));
    return decode(image, file, sensor_.calibration);
  }

 private:
  std::vector<ScanFile> scans_;
  SensorOfSequence sensor_;
  std::vector<std::optional<SE2>> ground_truth_;
  std::vector<std::string> remarks_;
};

// Taken from the first scan whose header can be read: a damaged scan is the reader's affair when its turn
// comes.
SensorOfSequence sensor_of(const std::vector<ScanFile>& scans, const CalibrationOverride& given) {
  std::optional<Error> first_error;
  for (const ScanFile& scan : scans) {
    std::optional<int> bins;
    try {
      bins = bins_of(png::read_size(scan.file), scan.file);
    } catch (const Error& error) {
      if (!first_error) first_error = error;
      continue;
    }
    return {*bins, calibration_for(*bins, given, scan.file)};
  }
  if (!given.range_resolution) throw *first_error;
  return {0, calibration_for(0, given, scans.front().file)};
}

}  // namespace

bool recognises(const fs::path& folder) {
  std::error_code unreadable;
  return fs::is_directory(folder / "radar", unreadable) ||
         fs::exists(folder / "radar.timestamps", unreadable);
}

std::unique_ptr<Dataset> open(const fs::path& folder, const CalibrationOverride& given) {
  ScanIndex index = index_scans(folder);
  GroundTruth truth = read_ground_truth(folder / "gt" / "radar_odometry.csv", index.scans);
  const SensorOfSequence sensor = sensor_of(index.scans, with_sensor_file(folder, given));
  std::vector<std::string> remarks = index.remarks;
  remarks.insert(remarks.end(), truth.remarks.begin(), truth.remarks.end());
  return std::make_unique<OxfordDataset>(std::move(index), std::move(truth), sensor, std::move(remarks));
}

}  // namespace fmbym::oxford
