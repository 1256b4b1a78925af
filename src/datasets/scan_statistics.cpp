#include "fmbym/datasets/scan_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "fmbym/core/error.hpp"

namespace fmbym {
namespace {

constexpr double kBandEdges[] = {0, 1, 2.5, 5, 10, 20, 35, 50, 75, 100, 130, 165};  // [m]

// Pearson's, of pairs of bytes.
class Correlation {
 public:
  void add(const std::uint8_t* a, const std::uint8_t* b, std::size_t count) {
    std::uint64_t x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t p = a[i], q = b[i];
      x += p;
      y += q;
      xx += p * p;
      yy += q * q;
      xy += p * q;
    }
    n_ += count;
    x_ += x;
    y_ += y;
    xx_ += xx;
    yy_ += yy;
    xy_ += xy;
  }
  double value() const {
    const auto n = static_cast<double>(n_), x = static_cast<double>(x_), y = static_cast<double>(y_);
    const double vx = n * static_cast<double>(xx_) - x * x, vy = n * static_cast<double>(yy_) - y * y;
    return vx > 0 && vy > 0 ? (n * static_cast<double>(xy_) - x * y) / std::sqrt(vx * vy) : 0;
  }

 private:
  std::uint64_t n_ = 0, x_ = 0, y_ = 0, xx_ = 0, yy_ = 0, xy_ = 0;
};

class Collector {
 public:
  void add(const PolarScan& scan) {
    ++scans_;
    resolution_ = scan.range_resolution;
    power_at_.resize(static_cast<std::size_t>(scan.bins));
    const auto bins = static_cast<std::size_t>(scan.bins);
    for (int a = 0; a < scan.azimuths(); ++a) {
      const std::uint8_t* row = scan.row(a);
      for (std::size_t b = 0; b < bins; ++b) {
        ++histogram_[row[b]];
        power_at_[b] += row[b];
      }
      for (std::size_t lag = 1; lag <= ScanStatistics::kLags && lag < bins; ++lag)
        range_[lag - 1].add(row, row + lag, bins - lag);
      for (int lag = 1; lag <= static_cast<int>(ScanStatistics::kLags); ++lag)
        azimuth_[static_cast<std::size_t>(lag) - 1].add(row, scan.row((a + lag) % scan.azimuths()), bins);
    }
    rows_ += static_cast<std::size_t>(scan.azimuths());
  }
  void add_pair(const PolarScan& a, const PolarScan& b) {
    time_.add(a.power.data(), b.power.data(), std::min(a.power.size(), b.power.size()));
  }

  ScanStatistics statistics() const {
    ScanStatistics s;
    s.scans = scans_;
    const double cells = static_cast<double>(rows_) * static_cast<double>(power_at_.size());
    double squares = 0;
    for (std::size_t v = 0; v < 256; ++v) {
      const auto value = static_cast<double>(v), share = static_cast<double>(histogram_[v]) / cells;
      s.mean += value * share;
      squares += value * value * share;
    }
    s.deviation = std::sqrt(std::max(0.0, squares - s.mean * s.mean));
    for (std::size_t q = 0; q < s.quantiles.size(); ++q)
      s.quantiles[q] = quantile(ScanStatistics::kQuantiles[q] / 100 * cells);
    for (std::size_t i = 0; i + 1 < std::size(kBandEdges); ++i) add_band(kBandEdges[i], kBandEdges[i + 1], s);
    for (std::size_t lag = 0; lag < ScanStatistics::kLags; ++lag) {
      s.range_correlation[lag] = range_[lag].value();
      s.azimuth_correlation[lag] = azimuth_[lag].value();
    }
    s.time_correlation = time_.value();
    return s;
  }

 private:
  double quantile(double below) const {
    double seen = 0;
    for (std::size_t v = 0; v < 256; ++v)
      if (seen += static_cast<double>(histogram_[v]); seen >= below) return static_cast<double>(v);
    return 255;
  }
  void add_band(double from, double to, ScanStatistics& s) const {
    const auto bin = [this](double range) {
      return std::min(power_at_.size(), static_cast<std::size_t>(range / resolution_));
    };
    if (bin(from) >= bin(to)) return;
    double power = 0;
    for (std::size_t b = bin(from); b < bin(to); ++b) power += static_cast<double>(power_at_[b]);
    s.bands.push_back({from, to, power / static_cast<double>(rows_ * (bin(to) - bin(from)))});
  }

  std::size_t scans_ = 0, rows_ = 0;
  double resolution_ = 1;
  std::array<std::uint64_t, 256> histogram_{};
  std::vector<std::uint64_t> power_at_;  // a bin
  std::array<Correlation, ScanStatistics::kLags> range_, azimuth_;
  Correlation time_;
};

}  // namespace

ScanStatistics scan_statistics(const Dataset& dataset, std::size_t places) {
  if (dataset.size() < 2)
    throw Error("statistics of scans need at least two of them; give a longer sequence");
  const std::size_t count = std::clamp<std::size_t>(places, 1, dataset.size() - 1);
  Collector collector;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i * (dataset.size() - 1) / count;
    const PolarScan a = dataset.read(first), b = dataset.read(first + 1);
    collector.add(a);
    collector.add(b);
    collector.add_pair(a, b);
  }
  return collector.statistics();
}

}  // namespace fmbym
