#include "fmbym/imaging/cartesian_imager.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "fmbym/core/error.hpp"

namespace fmbym {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
// Many more than azimuths, so that the row is linear within nearly every step.
constexpr int kBearingSteps = 8192;
constexpr double kCellsPerPixel = 2;
constexpr double kFullScale = 255;
constexpr double kUsualTurnTime = 0.25;  // [s]
constexpr float kHalfTurn = kBearingSteps / 2;
constexpr float kStepsPerRadian = static_cast<float>(kBearingSteps / kTurn);

// In [0, 2π).
double clockwise(double angle) {
  const double turned = angle - kTurn * std::floor(angle / kTurn);
  return turned < kTurn ? turned : 0;
}

// By value, unlike std::max, which would keep a loop from being vectorised.
float larger(float a, float b) {
  return a > b ? a : b;
}

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

// The slope of a line through all times over their angles: azimuths are stamped in packets, and any single
// time may be 8 ms off.
double turn_time_of(const PolarScan& scan) {
  if (scan.azimuth_time_us.size() != scan.azimuth.size()) return kUsualTurnTime;
  double turned = 0, n = 0, turns = 0, times = 0, turns_squared = 0, turns_times = 0;  // n, and sums
  for (std::size_t a = 0; a < scan.azimuth.size(); ++a) {
    const double step = a > 0 ? clockwise(scan.azimuth[a] - scan.azimuth[a - 1]) / kTurn : 0;
    turned += step < 0.5 ? step : step - 1;  // an encoder may stutter
    const double time =
        (static_cast<double>(scan.azimuth_time_us[a]) - static_cast<double>(scan.azimuth_time_us[0])) * 1e-6;
    n += 1;
    turns += turned;
    times += time;
    turns_squared += turned * turned;
    turns_times += turned * time;
  }
  const double slope = (n * turns_times - turns * times) / (n * turns_squared - turns * turns);
  return slope > 0 && std::isfinite(slope) ? slope : kUsualTurnTime;
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
  for (auto* of_row : {&standing_, &steps_, &ranges_}) of_row->resize(index(n));
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

Image CartesianImager::form(const PolarScan& scan, Image recycled) {
  load(scan);
  Image image = fitting(std::move(recycled));
  sample_pixels(image);
  return image;
}

void CartesianImager::load(const PolarScan& scan) {
  if (scan.azimuths() == 0 || scan.bins == 0)
    throw Error(fmt::format("a scan of {} azimuths and {} range bins cannot be imaged; both are needed",
                            scan.azimuths(), scan.bins));
  first_step_ = static_cast<float>(clockwise(scan.azimuth.front()) / kTurn * kBearingSteps);
  turn_time_ = turn_time_of(scan);
  tabulate_edges(scan);
  tabulate_rows(scan);
  average_ranges(scan);
}

Image CartesianImager::form(const Twist2& velocity, Image recycled) {
  if (profile_.azimuths == 0) throw Error("an image is formed before a scan was loaded; load one first");
  Image image = fitting(std::move(recycled));
  const double step_time = turn_time_ / kBearingSteps;
  const Twist2 motion{velocity.x * step_time / config_.metres_per_pixel,
                      velocity.y * step_time / config_.metres_per_pixel, velocity.yaw * step_time};
  for (int r = 0; r < config_.size; ++r) {
    trace_row(r, motion);
    sample_row(image.row(r));
  }
  return image;
}

// The recycled image if it can be used, or a new one.
Image CartesianImager::fitting(Image recycled) const {
  const bool reusable = recycled.size() == config_.size &&
                        recycled.metres_per_pixel() == config_.metres_per_pixel &&
                        recycled.pixels().size() == pixels_.size();  // not so once it was moved from
  return reusable ? std::move(recycled) : Image(config_.size, config_.metres_per_pixel);
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
  profile_.azimuths = rows;
  profile_.cells = cells_;
  profile_.metres_per_cell = config_.metres_per_pixel / kCellsPerPixel;
  profile_.power.resize(index(rows + 2) * index(cells_));
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
    float* cell = profile_.row(a);
    for (int i = 0; i < cells_; ++i)
      cell[i] = (power_to_edge_[index(i) + 2] - power_to_edge_[index(i)]) * scale_[index(i)];
  }
  // A bearing beyond the last azimuth lies between it and the first; one more row spares the interpolation a
  // test.
  std::copy_n(profile_.row(0), cells_, profile_.row(rows));
  std::copy_n(profile_.row(0), cells_, profile_.row(rows + 1));
}

void CartesianImager::sample_pixels(Image& image) const {
  float* out = image.pixels().data();
  for (const Pixel& pixel : pixels_) {
    const float from_first = pixel.bearing - first_step_;
    *out++ =
        sample(from_first < 0 ? from_first + static_cast<float>(kBearingSteps) : from_first, pixel.range);
  }
}

// When the moving sensor faced the pixels of a row, and how far they were from it then. The unit of time is a
// step of the bearing table, from the middle of the turn on; lengths are in pixels.
void CartesianImager::trace_row(int r, const Twist2& motion) {
  const int n = config_.size, middle = n / 2;
  const float x = static_cast<float>(middle - r), vx = static_cast<float>(motion.x),
              vy = static_cast<float>(motion.y), yaw_rate = static_cast<float>(motion.yaw);
  const float first_step = first_step_, beyond = static_cast<float>(cells_);
  const Pixel* pixels = pixels_.data() + index(r) * index(n);
  float *standing = standing_.data(), *time = steps_.data(), *range = ranges_.data();

  for (int c = 0; c < n; ++c) {
    const float from_first = pixels[c].bearing - first_step;
    standing[c] = from_first + (from_first < 0 ? kHalfTurn : -kHalfTurn);
    time[c] = standing[c] / (1 + kStepsPerRadian * yaw_rate);
  }
  // The sensor's way up to t turns the pixel's bearing by atan(t · across / along), its own turning by
  // -yaw_rate · t. A bearing that thus changes by k steps a step is met at t = standing / (1 - k). |k| of the
  // way is kept to a half, which is passed only next to the sensor. Two rounds are good for 0.02 pixels, but
  // where the sensor covers a third of the distance in its half turn.
  const int rounds = std::abs(x) > 3 * kHalfTurn * std::hypot(vx, vy) ? 2 : 4;
  for (int round = 0; round < rounds; ++round) {
    for (int c = 0; c < n; ++c) {
      const float y = static_cast<float>(c - middle), t = time[c], half_yaw = 0.5f * yaw_rate * t;
      const float mean_vx = vx - half_yaw * vy, mean_vy = vy + half_yaw * vx;
      const float across = y * mean_vx - x * mean_vy;
      const float along = larger(x * (x - t * mean_vx) + y * (y - t * mean_vy),
                                 2 * kStepsPerRadian * std::abs(across) + 1e-3f);
      // atan(z) ≈ z (15 + 4z²) / (15 + 9z²), and all over one denominator.
      const float along2 = along * along, shift2 = t * t * across * across;
      const float top = across * (15 * along2 + 4 * shift2), bottom = along * (15 * along2 + 9 * shift2);
      time[c] = standing[c] * bottom / (bottom - kStepsPerRadian * (top - yaw_rate * bottom));
    }
  }
  for (int c = 0; c < n; ++c) {
    const float y = static_cast<float>(c - middle), t = time[c], half_yaw = 0.5f * yaw_rate * t;
    const float dx = x - t * (vx - half_yaw * vy), dy = y - t * (vy + half_yaw * vx);
    range[c] = std::sqrt(dx * dx + dy * dy) * static_cast<float>(kCellsPerPixel) +
               (std::abs(t) <= kHalfTurn ? 0 : beyond);
    time[c] = t + kHalfTurn;
  }
}

void CartesianImager::sample_row(float* out) const {
  const float last = static_cast<float>(cells_ - 1);
  for (std::size_t c = 0; c < ranges_.size(); ++c)
    out[c] = ranges_[c] < last ? sample(steps_[c], ranges_[c]) : 0;
}

// Bilinear at so many steps clockwise from the first azimuth and so many cells away.
inline float CartesianImager::sample(float steps, float range) const {
  const int step = static_cast<int>(steps);
  const float row_before = row_at_[index(step)];
  const float row = row_before + (row_at_[index(step) + 1] - row_before) * (steps - static_cast<float>(step));

  const int a = static_cast<int>(row), cell = static_cast<int>(range);
  const float u = row - static_cast<float>(a), v = range - static_cast<float>(cell);
  const float* near = profile_.power.data() + index(a) * index(cells_) + cell;
  const float* next = near + cells_;
  return (1 - u) * (near[0] + v * (near[1] - near[0])) + u * (next[0] + v * (next[1] - next[0]));
}

}  // namespace fmbym
