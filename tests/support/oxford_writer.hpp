// Writes scans and sequences in the Oxford layout, sound ones and broken ones. Users link PkgConfig::SPNG.
#pragma once

#include <fmt/format.h>
#include <spng.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fmbym/core/file.hpp"
#include "fmbym/core/polar_scan.hpp"
#include "fmbym/core/se2.hpp"

namespace fmbym::testing {

constexpr std::int64_t kScanStart_us = 1'547'131'046'353'776;  // as real ones are
constexpr std::int64_t kScanPeriod_us = 250'000;

struct PngFormat {
  std::uint8_t bit_depth = 8;
  std::uint8_t color_type = SPNG_COLOR_TYPE_GRAYSCALE;
};

// The bytes of a PNG file; `pixels` as they are stored, row by row.
inline std::string encode_png(int rows, int columns, const std::vector<std::uint8_t>& pixels,
                              const PngFormat& format = {}) {
  const auto check = [](int code) {
    if (code != SPNG_OK) throw std::runtime_error(spng_strerror(code));
  };
  const std::unique_ptr<spng_ctx, void (*)(spng_ctx*)> context(spng_ctx_new(SPNG_CTX_ENCODER), spng_ctx_free);
  spng_ihdr header{};
  header.width = static_cast<std::uint32_t>(columns);
  header.height = static_cast<std::uint32_t>(rows);
  header.bit_depth = format.bit_depth;
  header.color_type = format.color_type;
  spng_plte palette{};
  palette.n_entries = 256;
  check(spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1));
  check(spng_set_ihdr(context.get(), &header));
  if (format.color_type == SPNG_COLOR_TYPE_INDEXED) check(spng_set_plte(context.get(), &palette));
  check(spng_encode_image(context.get(), pixels.data(), pixels.size(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE));
  std::size_t size = 0;
  int code = SPNG_OK;
  const std::unique_ptr<void, void (*)(void*)> bytes(spng_get_png_buffer(context.get(), &size, &code),
                                                     std::free);
  check(code);
  return {static_cast<const char*>(bytes.get()), size};
}

// What the rows of an Oxford PNG say, true or not.
struct OxfordScan {
  int bins = 0;
  std::vector<std::int64_t> time_us;  // a row
  std::vector<int> encoder;           // a row, 5600 steps a turn
  std::vector<std::uint8_t> valid;    // a row, 255 = valid
  std::vector<std::uint8_t> power;    // (row, bin)

  int rows() const { return static_cast<int>(time_us.size()); }
  std::uint8_t& at(int row, int bin) { return power[static_cast<std::size_t>(row * bins + bin)]; }
};

// A sound scan: one turn in a scan period, every row valid, power that differs from row to row and bin to
// bin.
inline OxfordScan make_oxford_scan(std::int64_t start_us = kScanStart_us, int rows = 40, int bins = 432) {
  OxfordScan scan;
  scan.bins = bins;
  for (int row = 0; row < rows; ++row) {
    scan.time_us.push_back(start_us + row * kScanPeriod_us / rows);
    scan.encoder.push_back((13 + row * 5600 / rows) % 5600);
    scan.valid.push_back(255);
    for (int bin = 0; bin < bins; ++bin)
      scan.power.push_back(static_cast<std::uint8_t>((3 * row + 7 * bin) % 256));
  }
  return scan;
}

// The rows as the radar would have sent them: azimuths become encoder values, rounded to its steps.
inline OxfordScan to_oxford(const PolarScan& scan, double azimuth_offset = 0) {
  OxfordScan oxford{scan.bins, scan.azimuth_time_us, {}, {}, scan.power};
  constexpr double steps_per_radian = 5600 / (2 * std::numbers::pi);
  for (const double azimuth : scan.azimuth) {
    const long step = std::lround((azimuth - azimuth_offset) * steps_per_radian) % 5600;
    oxford.encoder.push_back(static_cast<int>(step < 0 ? step + 5600 : step));
  }
  for (const std::uint8_t valid : scan.valid) oxford.valid.push_back(valid ? 255 : 0);
  return oxford;
}

// The pixels of the PNG, row by row.
inline std::vector<std::uint8_t> oxford_rows(const OxfordScan& scan) {
  std::vector<std::uint8_t> pixels;
  const auto append = [&](std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) pixels.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  };
  for (std::size_t row = 0; row < scan.time_us.size(); ++row) {
    append(static_cast<std::uint64_t>(scan.time_us[row]), 8);
    append(static_cast<std::uint64_t>(scan.encoder[row]), 2);
    append(scan.valid[row], 1);
    const auto first = scan.power.begin() + static_cast<std::ptrdiff_t>(row) * scan.bins;
    pixels.insert(pixels.end(), first, first + scan.bins);
  }
  return pixels;
}

inline std::string encode_oxford(const OxfordScan& scan) {
  return encode_png(scan.rows(), 11 + scan.bins, oxford_rows(scan));
}

inline void write_oxford_scan(const std::filesystem::path& file, const OxfordScan& scan) {
  std::filesystem::create_directories(file.parent_path());
  write_file(file, encode_oxford(scan));
}

struct OxfordIncrement {
  std::int64_t earlier_us = 0;
  std::int64_t later_us = 0;
  SE2 T_earlier_later;
};

// A sequence folder being written, one file at a time.
class OxfordSequence {
 public:
  explicit OxfordSequence(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_ / "radar");
  }

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path file(std::int64_t time_us) const {
    return folder_ / "radar" / fmt::format("{}.png", time_us);
  }
  std::filesystem::path timestamps() const { return folder_ / "radar.timestamps"; }
  std::filesystem::path ground_truth() const { return folder_ / "gt" / "radar_odometry.csv"; }

  void write_scan(std::int64_t time_us, const OxfordScan& scan) const {
    write_oxford_scan(file(time_us), scan);
  }

  void write_timestamps(const std::vector<std::int64_t>& times_us) const {
    std::string lines;
    for (const std::int64_t time : times_us) lines += fmt::format("{} 1\n", time);
    write_file(timestamps(), lines);
  }

  void write_ground_truth(const std::vector<OxfordIncrement>& increments) const {
    std::string lines =
        "source_timestamp,destination_timestamp,x,y,z,roll,pitch,yaw,"
        "source_radar_timestamp,destination_radar_timestamp\n";
    for (const auto& [earlier, later, T] : increments)
      lines += fmt::format("{},{},{:.6f},{:.6f},0,0,0,{:.6f},{},{}\n", later + kScanPeriod_us / 2,
                           earlier + kScanPeriod_us / 2, T.x, T.y, T.yaw, later, earlier);
    std::filesystem::create_directories(ground_truth().parent_path());
    write_file(ground_truth(), lines);
  }

 private:
  std::filesystem::path folder_;
};

// A sound sequence of small scans, listed in radar.timestamps, without ground truth.
inline OxfordSequence write_oxford_sequence(const std::filesystem::path& folder, int scans, int rows = 40,
                                            int bins = 432) {
  const OxfordSequence sequence(folder);
  std::vector<std::int64_t> times;
  for (int i = 0; i < scans; ++i) {
    times.push_back(kScanStart_us + i * kScanPeriod_us);
    sequence.write_scan(times.back(), make_oxford_scan(times.back(), rows, bins));
  }
  sequence.write_timestamps(times);
  return sequence;
}

}  // namespace fmbym::testing
