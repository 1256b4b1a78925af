// Bytes as a scan: as a PNG whose checksums are put right, since the fuzzer would never guess them, and as
// the rows of a decoded one, since it would hardly ever compress them well.
#include <algorithm>

#include "datasets/oxford_scan.hpp"
#include "datasets/png.hpp"
#include "fmbym/datasets/oxford.hpp"
#include "fuzz.hpp"
#include "support/png_checksum.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

using namespace fmbym;

namespace {

constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);
constexpr std::size_t kChunkHeader = 8, kChecksum = 4;

std::uint32_t big_endian(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 |
         bytes[3];
}

void correct_checksums(std::uint8_t* data, std::size_t size) {
  for (std::size_t at = kSignature.size(); size - at >= kChunkHeader + kChecksum;) {
    const std::size_t length = big_endian(data + at);
    if (length > size - at - kChunkHeader - kChecksum) return;
    const std::size_t end = at + kChunkHeader + length;
    const std::string checksum =
        testing::big_endian(testing::crc32(fuzz::text_of(data + at + 4, end - at - 4)));
    std::copy(checksum.begin(), checksum.end(), data + end);
    at = end + kChecksum;
  }
}

PolarScan decode(const png::GreyImage& image) {
  const int bins = oxford::bins_of(image.size, "input");
  return oxford::decode(image, "input", oxford::calibration_for(bins, {.range_resolution = 0.1}, "input"));
}

// The first byte is the width.
png::GreyImage rows_of(std::string_view bytes) {
  const int columns = bytes.empty() ? 0 : static_cast<std::uint8_t>(bytes[0]);
  if (columns == 0) return {};
  const int rows = static_cast<int>(bytes.size() - 1) / columns;
  return {{rows, columns}, {bytes.begin() + 1, bytes.begin() + 1 + rows * columns}};
}

void require_sound(const PolarScan& scan) {
  const auto azimuths = static_cast<std::size_t>(scan.azimuths());
  fuzz::require(scan.power.size() == azimuths * static_cast<std::size_t>(scan.bins),
                "every row has its bins");
  fuzz::require(std::ranges::is_sorted(scan.azimuth), "azimuths go round");
  fuzz::require(std::ranges::is_sorted(scan.azimuth_time_us), "times go on");
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned) {
  size = LLVMFuzzerMutate(data, size, max_size);
  if (fuzz::text_of(data, size).starts_with(kSignature)) correct_checksums(data, size);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  fuzz::expect_value_or_error([&] {
    const bool png = bytes.starts_with(kSignature);
    require_sound(decode(png ? png::decode(std::string(bytes), "input") : rows_of(bytes)));
  });
  return 0;
}
