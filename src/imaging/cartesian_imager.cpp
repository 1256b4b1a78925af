#include "fmbym/imaging/cartesian_imager.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fmbym/core/error.hpp"

namespace fmbym {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
// Many more than azimuths, so that the row is linear within nearly every step.
constexpr int kBearingSteps = 8192;
constexpr double kCellsPerPixel = 2;
constexpr double kFullScale = 255;

// In [0, 2π).
double clockwise(double angle) {
  const double turned = angle - kTurn * std::floor(angle / kTurn);
  return turned < kTurn ? turned : 0;
}

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

void ImagingConfig::validate() const {
  if (size < 15 || size > 4095 || size % 2 == 0)
    throw Error(fmt::format("resolution {}: an odd number of pixels from 15 to 4095 is needed", size));
  if (!(metres_per_pixel >= 0.01 && metres_per_pixel <= 10))
    throw Error(fmt::format("{} metres a pixel: a value from 0.01 to 10 is needed", metres_per_pixel));
}

ImagingConfig imaging_for_resolution(int size) {
  const ImagingConfig config{size, 0.4 * 256 / (size + 1)};
  config.validate();
  return config;
}

CartesianImager::CartesianImager(const ImagingConfig& config) : config_(config), row_at_(kBearingSteps + 2) {
  config.validate();
  const int n = config.size, middle = n / 2;
  pixels_.reserve(index(n) * index(n));
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) {
      const double x = middle - r, y = c - middle;  // [pixel]
      pixels_.push_back({static_cast<float>(clockwise(std::atan2(y, x)) / kTurn * kBearingSteps),
                         static_cast<float>(std::hypot(x, y) * kCellsPerPixel)});
    }
  }
  // The farthest corner lies between its cell and the next.
  cells_ = static_cast<int>(std::hypot(middle, middle) * kCellsPerPixel) + 2;
}

Image CartesianImager::form(const PolarScan& scan, Image image) {
  if (scan.azimuths() == 0 || scan.bins == 0)
    throw Error(fmt::format("a scan of {} azimuths and {} range bins cannot be imaged; both are needed",
                            scan.azimuths(), scan.bins));
  const bool reusable = image.size() == config_.size &&
                        image.metres_per_pixel() == config_.metres_per_pixel &&
                        image.pixels().size() == pixels_.size();  // not so once it was moved from
  if (!reusable) image = Image(config_.size, config_.metres_per_pixel);
  tabulate_edges(scan);
  tabulate_rows(scan);
  average_ranges(scan);
  sample_pixels(scan.azimuth.front(), image);
  return image;
}

// Cell k averages a pixel's length around k half pixels, as far as the sensor saw it: from edge k to edge
// k+2.
void CartesianImager::tabulate_edges(const PolarScan& scan) {
  if (bins_ == scan.bins && range_resolution_ == scan.range_resolution && range_offset_ == scan.range_offset)
    return;
  bins_ = scan.bins;
  range_resolution_ = scan.range_resolution;
  range_offset_ = scan.range_offset;

  std::vector<double> edges;  // in bins; bin b covers [b, b+1)
  edges_.clear();
  for (int i = 0; i < cells_ + 2; ++i) {
    const double range = (i - 1) / kCellsPerPixel * config_.metres_per_pixel;
    edges.push_back(std::clamp((range - range_offset_) / range_resolution_, 0.0, static_cast<double>(bins_)));
    const int bin = std::min(static_cast<int>(edges.back()), bins_ - 1);
    edges_.push_back({bin, static_cast<float>(edges.back() - bin)});
  }
  scale_.clear();
  for (int cell = 0; cell < cells_; ++cell) {
    const double length = edges[index(cell + 2)] - edges[index(cell)];
    scale_.push_back(length > 0 ? static_cast<float>(1 / (length * kFullScale)) : 0);
  }
}

// Rows count on past the last azimuth to the first one again, a turn later.
void CartesianImager::tabulate_rows(const PolarScan& scan) {
  const int rows = scan.azimuths();
  const auto steps_to = [&](int row) {
    return row < rows ? clockwise(scan.azimuth[index(row)] - scan.azimuth.front()) / kTurn * kBearingSteps
                      : kBearingSteps;
  };
  int step = 0;
  for (int row = 0; row < rows; ++row) {
    const double begin = steps_to(row), end = steps_to(row + 1);
    for (; step <= end && step <= kBearingSteps; ++step)
      row_at_[index(step)] = static_cast<float>(row + (end > begin ? (step - begin) / (end - begin) : 0));
  }
  row_at_[index(kBearingSteps)] = row_at_[index(kBearingSteps + 1)] = static_cast<float>(rows);
}

void CartesianImager::average_ranges(const PolarScan& scan) {
  const int rows = scan.azimuths(), bins = edges_.back().bin + 1;
  total_.resize(index(bins));
  power_to_edge_.resize(edges_.size());
  profile_.resize(index(rows + 2) * index(cells_));
  for (int a = 0; a < rows; ++a) {
    const std::uint8_t* power = scan.row(a);
    std::uint32_t sum = 0;
#pragma GCC unroll 8
    for (int bin = 0; bin < bins; ++bin) {
      total_[index(bin)] = sum;
      sum += power[bin];
    }
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const auto [bin, fraction] = edges_[i];
      power_to_edge_[i] = static_cast<float>(total_[index(bin)]) + fraction * static_cast<float>(power[bin]);
    }
    float* cell = profile_.data() + index(a) * index(cells_);
    for (int i = 0; i < cells_; ++i)
      cell[i] = (power_to_edge_[index(i) + 2] - power_to_edge_[index(i)]) * scale_[index(i)];
  }
  // A bearing beyond the last azimuth lies between it and the first; one more row spares the interpolation a
  // test.
  std::copy_n(profile_.begin(), cells_, profile_.begin() + std::ptrdiff_t(rows) * cells_);
  std::copy_n(profile_.begin(), cells_, profile_.begin() + std::ptrdiff_t(rows + 1) * cells_);
}

void CartesianImager::sample_pixels(double first_azimuth, Image& image) const {
  const float first_step = static_cast<float>(clockwise(first_azimuth) / kTurn * kBearingSteps);
  float* out = image.pixels().data();
  for (const Pixel& pixel : pixels_) {
    const float from_first = pixel.bearing - first_step;
    const float steps = from_first < 0 ? from_first + static_cast<float>(kBearingSteps) : from_first;
    const int step = static_cast<int>(steps);
    const float row_before = row_at_[index(step)];
    const float row =
        row_before + (row_at_[index(step) + 1] - row_before) * (steps - static_cast<float>(step));

    const int a = static_cast<int>(row), cell = static_cast<int>(pixel.range);
    const float u = row - static_cast<float>(a), v = pixel.range - static_cast<float>(cell);
    const float* near = profile_.data() + index(a) * index(cells_) + cell;
    const float* next = near + cells_;
    *out++ = (1 - u) * (near[0] + v * (near[1] - near[0])) + u * (next[0] + v * (next[1] - next[0]));
  }
}

}  // namespace fmbym
