#include "datasets/oxford_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string_view>
#include <vector>

#include "datasets/text.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/datasets/oxford.hpp"
#include "fmbym/datasets/sensor_file.hpp"

namespace fmbym::oxford {
namespace {

constexpr int kHeaderBytes = 11;  // time, encoder, valid
constexpr int kValidByte = 10;
constexpr int kEncoderTurn = 5600;  // encoder steps a turn
constexpr std::uint8_t kValid = 255;
constexpr int kFewestAzimuths = 8;  // fewer are no turn that could be filled or imaged
constexpr std::int64_t kLatestTime = 100'000'000'000'000'000;  // [µs]; nanoseconds of our days are above it
constexpr std::int64_t kLongestTurn = 60'000'000;              // [µs]; the radar turns four times a second

// When and where a row was measured. The encoder goes on counting past a full turn.
struct Reading {
  std::int64_t row = 0;
  std::int64_t time_us = 0;
  std::int64_t encoder = 0;

  Reading operator+(const Reading& o) const {
    return {row + o.row, time_us + o.time_us, encoder + o.encoder};
  }
  Reading operator-(const Reading& o) const {
    return {row - o.row, time_us - o.time_us, encoder - o.encoder};
  }
};

[[noreturn]] void fail(const std::filesystem::path& file, std::string_view wrong) {
  throw Error(
      fmt::format("{}: {}; check that it is an unaltered scan in the Oxford layout", file.string(), wrong));
}

std::uint64_t little_endian(const std::uint8_t* bytes, int count) {
  std::uint64_t value = 0;
  for (int i = count - 1; i >= 0; --i) value = value << 8 | bytes[i];
  return value;
}

Reading reading_of(const png::GreyImage& image, int row, const std::filesystem::path& file) {
  const std::uint8_t* bytes = image.row(row);
  const auto time_us = static_cast<std::int64_t>(little_endian(bytes, 8));
  const auto encoder = static_cast<std::int64_t>(little_endian(bytes + 8, 2));
  if (time_us < 0 || time_us > kLatestTime)
    fail(file, fmt::format("row {}: expected a time in microseconds, found {}", row, time_us));
  if (encoder >= kEncoderTurn)
    fail(file,
         fmt::format("row {}: expected an encoder value below {}, found {}", row, kEncoderTurn, encoder));
  return {row, time_us, encoder};
}

// The next valid row with its encoder counted on from the previous one's. Equal times are fine:
// they occur in real scans.
Reading following(const Reading& previous, Reading next, const std::filesystem::path& file) {
  if (next.time_us < previous.time_us)
    fail(file, fmt::format("rows out of order: time {} of row {} follows {} of row {}", next.time_us,
                           next.row, previous.time_us, previous.row));
  const std::int64_t turned = previous.encoder % kEncoderTurn;
  const std::int64_t step = (next.encoder - turned + kEncoderTurn) % kEncoderTurn;
  if (step == 0)
    fail(file, fmt::format("rows out of order: rows {} and {} have the same encoder value {}", previous.row,
                           next.row, turned));
  next.encoder = previous.encoder + step;
  return next;
}

void require_one_turn(const Reading& whole, const std::filesystem::path& file) {
  if (whole.encoder >= kEncoderTurn)
    fail(file,
         fmt::format(
             "rows out of order: expected encoder values that go round once clockwise, found {:.2f} turns",
             static_cast<double>(whole.encoder) / kEncoderTurn));
  if (whole.time_us > kLongestTurn)
    fail(file,
         fmt::format("expected row times in microseconds within {} s, found {:.0f} s from first to last",
                     kLongestTurn / 1'000'000, static_cast<double>(whole.time_us) * 1e-6));
}

// In order of time. What an invalid row says of itself counts for nothing.
std::vector<Reading> valid_readings(const png::GreyImage& image, const std::filesystem::path& file) {
  std::vector<Reading> readings;
  for (int row = 0; row < image.size.rows; ++row) {
    if (image.row(row)[kValidByte] != kValid) continue;
    const Reading reading = reading_of(image, row, file);
    readings.push_back(readings.empty() ? reading : following(readings.back(), reading, file));
  }
  if (std::ssize(readings) < kFewestAzimuths)
    fail(file, fmt::format("expected at least {} valid rows (byte {} is {}), found {} of {}", kFewestAzimuths,
                           kValidByte, +kValid, readings.size(), image.size.rows));
  require_one_turn(readings.back() - readings.front(), file);
  return readings;
}

double angle_of(double encoder) {
  return encoder * 2 * std::numbers::pi / kEncoderTurn;
}

PolarScan empty_scan(const png::Size& size, int bins, const SensorCalibration& calibration) {
  PolarScan scan;
  const auto azimuths = static_cast<std::size_t>(size.rows);
  scan.bins = bins;
  scan.range_resolution = calibration.range_resolution;
  scan.range_offset = calibration.range_offset;
  scan.power.resize(azimuths * static_cast<std::size_t>(bins));
  scan.azimuth.resize(azimuths);
  scan.azimuth_time_us.resize(azimuths);
  scan.valid.resize(azimuths);
  return scan;
}

void set_valid_rows(PolarScan& scan, const std::vector<Reading>& readings, const png::GreyImage& image) {
  for (const Reading& reading : readings) {
    const auto row = static_cast<std::size_t>(reading.row);
    scan.valid[row] = 1;
    scan.azimuth[row] = angle_of(static_cast<double>(reading.encoder));
    scan.azimuth_time_us[row] = reading.time_us;
    std::copy_n(image.row(static_cast<int>(row)) + kHeaderBytes, scan.bins, scan.row(static_cast<int>(row)));
  }
}

// One turn on, the same azimuths come again: what lies between the last valid row and the first of the next
// turn.
Reading one_turn(const std::vector<Reading>& readings, std::int64_t rows) {
  const Reading whole = readings.back() - readings.front();
  const double row_duration = static_cast<double>(whole.time_us) / static_cast<double>(whole.row);
  return {rows, std::llround(row_duration * static_cast<double>(rows)), kEncoderTurn};
}

void fill_power(std::uint8_t* row, const std::uint8_t* before, const std::uint8_t* after, int bins,
                double fraction) {
  for (int bin = 0; bin < bins; ++bin)
    row[bin] = static_cast<std::uint8_t>(std::lround(before[bin] + fraction * (after[bin] - before[bin])));
}

// The row `between` two valid ones, linearly. Rows past the last one are those before the first, a turn
// later.
void fill_row(PolarScan& scan, std::int64_t between, const Reading& before, const Reading& after,
              const Reading& turn) {
  const Reading step = after - before;
  const double fraction = static_cast<double>(between - before.row) / static_cast<double>(step.row);
  const bool wrapped = between >= turn.row;
  const auto row = static_cast<std::size_t>(wrapped ? between - turn.row : between);
  const double encoder = static_cast<double>(before.encoder) + fraction * static_cast<double>(step.encoder);
  const std::int64_t time_us = before.time_us + std::llround(fraction * static_cast<double>(step.time_us));
  scan.azimuth[row] = angle_of(wrapped ? encoder - kEncoderTurn : encoder);
  scan.azimuth_time_us[row] = wrapped ? time_us - turn.time_us : time_us;
  fill_power(scan.row(static_cast<int>(row)), scan.row(static_cast<int>(before.row)),
             scan.row(static_cast<int>(after.row % turn.row)), scan.bins, fraction);
}

void fill_invalid_rows(PolarScan& scan, const std::vector<Reading>& readings) {
  const Reading turn = one_turn(readings, scan.azimuths());
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const Reading& before = readings[i];
    const Reading after = i + 1 < readings.size() ? readings[i + 1] : readings.front() + turn;
    for (std::int64_t row = before.row + 1; row < after.row; ++row) fill_row(scan, row, before, after, turn);
  }
}

}  // namespace

int bins_of(const png::Size& size, const std::filesystem::path& file) {
  if (size.columns <= kHeaderBytes)
    fail(file, fmt::format("expected {} bytes of header and at least one range bin a row, found {} columns",
                           kHeaderBytes, size.columns));
  if (size.rows < kFewestAzimuths)
    fail(file, fmt::format("expected at least {} azimuths (rows), found {}", kFewestAzimuths, size.rows));
  return size.columns - kHeaderBytes;
}

PolarScan decode(const png::GreyImage& image, const std::filesystem::path& file,
                 const SensorCalibration& calibration) {
  PolarScan scan = empty_scan(image.size, bins_of(image.size, file), calibration);
  const auto readings = valid_readings(image, file);
  set_valid_rows(scan, readings, image);
  fill_invalid_rows(scan, readings);
  for (double& azimuth : scan.azimuth) azimuth += calibration.azimuth_offset;
  scan.timestamp_us = text::to_time(file.stem().string()).value_or(scan.azimuth_time_us.front());
  return scan;
}

png::GreyImage encode(const PolarScan& scan, double azimuth_offset) {
  png::GreyImage image{{scan.azimuths(), kHeaderBytes + scan.bins}, {}};
  image.pixels.reserve(static_cast<std::size_t>(image.size.rows) *
                       static_cast<std::size_t>(image.size.columns));
  const auto append = [&image](std::int64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) image.pixels.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  };
  for (int row = 0; row < scan.azimuths(); ++row) {
    const auto a = static_cast<std::size_t>(row);
    const std::int64_t encoder =
        std::llround((scan.azimuth[a] - azimuth_offset) / angle_of(1)) % kEncoderTurn;
    append(scan.azimuth_time_us[a], 8);
    append(encoder < 0 ? encoder + kEncoderTurn : encoder, 2);
    append(scan.valid[a] ? kValid : 0, 1);
    image.pixels.insert(image.pixels.end(), scan.row(row), scan.row(row) + scan.bins);
  }
  return image;
}

PolarScan read_scan(const std::filesystem::path& png, const CalibrationOverride& given) {
  const png::GreyImage image = png::read(png);
  // A scan of a sequence has the sequence's sensor.
  const bool in_sequence = std::filesystem::absolute(png).parent_path().filename() == "radar";
  const CalibrationOverride sensor =
      in_sequence ? with_sensor_file(std::filesystem::absolute(png).parent_path().parent_path(), given)
                  : given;
  return decode(image, png, calibration_for(bins_of(image.size, png), sensor, png));
}

}  // namespace fmbym::oxford
