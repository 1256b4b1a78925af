#include "datasets/png.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/expect_error.hpp"
#include "support/oxford_writer.hpp"
#include "support/png_checksum.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym {
namespace {

using testing::big_endian;
using testing::crc32;
using testing::encode_png;
using testing::error_of;
using testing::expect_message;
using testing::TemporaryFolder;

const std::vector<std::uint8_t> kPixels = {0, 1, 2, 253, 254, 255};  // 2 rows of 3

class Png : public ::testing::Test {
 protected:
  std::string error_for(const std::string& bytes) {
    write_file(file_, bytes);
    return error_of([&] { png::read(file_); });
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "scan.png";
};

std::string with_byte(std::string bytes, std::size_t at, char value) {
  bytes.at(at) = value;
  return bytes;
}

// The file with another size in its header, which is otherwise in order.
std::string claiming(std::string bytes, std::uint32_t columns, std::uint32_t rows) {
  constexpr std::size_t type = 12, width = 16, crc = 29;  // where they are in every PNG
  bytes.replace(width, 8, big_endian(columns) + big_endian(rows));
  bytes.replace(crc, 4, big_endian(crc32(std::string_view(bytes).substr(type, crc - type))));
  return bytes;
}

TEST_F(Png, GivesBackThePixels) {
  write_file(file_, encode_png(2, 3, kPixels));
  const png::GreyImage image = png::read(file_);
  EXPECT_EQ(image.size.rows, 2);
  EXPECT_EQ(image.size.columns, 3);
  EXPECT_EQ(image.pixels, kPixels);
  EXPECT_EQ(image.row(1)[2], 255);
  EXPECT_EQ(png::read_size(file_).columns, 3);
}

TEST_F(Png, MissingFile) {
  expect_message(error_of([&] { png::read(file_); }), file_, {"No such file", "check the path"});
}

TEST_F(Png, EmptyFile) {
  expect_message(error_for(""), file_, {"8-bit grey PNG", "empty file", "download it again"});
}

TEST_F(Png, NoPng) {
  expect_message(error_for("P5 this is a text of some length, and no PNG"), file_,
                 {"8-bit grey PNG", "no PNG at all"});
  expect_message(error_for("abc"), file_, {"no PNG at all"});
}

TEST_F(Png, OtherKindsOfPng) {
  struct Kind {
    std::uint8_t bit_depth;
    int color_type;
    std::size_t bytes;
    const char* found;
  };
  for (const Kind& kind :
       {Kind{16, SPNG_COLOR_TYPE_GRAYSCALE, 12, "found 16-bit grey;"},
        Kind{4, SPNG_COLOR_TYPE_GRAYSCALE, 4, "found 4-bit grey;"},
        Kind{8, SPNG_COLOR_TYPE_TRUECOLOR, 18, "found 8-bit colour;"},
        Kind{8, SPNG_COLOR_TYPE_INDEXED, 6, "found 8-bit palette;"},
        Kind{8, SPNG_COLOR_TYPE_GRAYSCALE_ALPHA, 12, "found 8-bit grey with transparency;"},
        Kind{8, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 24, "found 8-bit colour with transparency;"}}) {
    const std::vector<std::uint8_t> pixels(kind.bytes);
    const auto bytes = encode_png(2, 3, pixels, {kind.bit_depth, static_cast<std::uint8_t>(kind.color_type)});
    expect_message(error_for(bytes), file_, {"expected an 8-bit grey PNG", kind.found});
  }
}

// Cut anywhere up to the end mark after the last pixel, the file is not taken for whole. (The mark's own
// checksum, the last four bytes, guards nothing, and the decoder forgives its absence.)
TEST_F(Png, EveryTruncationIsNoticed) {
  const std::string whole = encode_png(2, 3, kPixels);
  for (std::size_t size = 1; size < whole.size() - 4; ++size)
    expect_message(error_for(whole.substr(0, size)), file_, {fmt::format("cut off after {} bytes", size)});
}

// Pixels that do not compress, so that the cut is far inside the image's data.
TEST_F(Png, TruncatedImageDataIsNoticed) {
  std::vector<std::uint8_t> noise(200 * 200);
  std::uint32_t state = 1;
  for (auto& pixel : noise) pixel = static_cast<std::uint8_t>((state = state * 1664525u + 1013904223u) >> 24);
  const std::string whole = encode_png(200, 200, noise);
  expect_message(error_for(whole.substr(0, whole.size() / 2)), file_, {"cut off"});
}

// The checksums see every damaged byte, whichever chunk it is in.
TEST_F(Png, EveryDamagedByteIsNoticed) {
  const std::string whole = encode_png(2, 3, kPixels);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    const std::string message = error_for(with_byte(whole, at, static_cast<char>(whole[at] ^ 0x15)));
    expect_message(message, file_, {});
  }
}

TEST_F(Png, DamagedChecksumIsNamed) {
  const std::string whole = encode_png(2, 3, kPixels);
  const std::size_t data = whole.find("IDAT") + 4;
  expect_message(error_for(with_byte(whole, data + 4, static_cast<char>(whole[data + 4] ^ 1))), file_,
                 {"damaged", "download it again"});
}

TEST_F(Png, TextOrColourProfilesDoNoHarm) {
  std::string bytes = encode_png(2, 3, kPixels);
  const std::string body("tEXtComment\0made by hand", 24);
  std::string chunk = big_endian(static_cast<std::uint32_t>(body.size() - 4));
  chunk += body;
  chunk += big_endian(crc32(body));
  bytes.insert(33, chunk);  // after the header
  write_file(file_, bytes);
  EXPECT_EQ(png::read(file_).pixels, kPixels);
  expect_message(error_for(with_byte(bytes, 33 + 10, 'X')), file_, {"damaged"});
}

TEST_F(Png, AbsurdSizesAreRefusedBeforeMemoryIsTaken) {
  const std::string bytes = encode_png(2, 3, kPixels);
  expect_message(error_for(claiming(bytes, 70000, 3)), file_, {"at most 65535 x 65535"});
  expect_message(error_for(claiming(bytes, 3, 2'000'000'000)), file_, {"at most 65535 x 65535"});
  expect_message(error_for(claiming(bytes, 65535, 65535)), file_,
                 {"65535 x 65535 pixels by its header", "too small"});
  expect_message(error_for(claiming(bytes, 0, 3)), file_, {"damaged"});
  expect_message(error_for(claiming(bytes, 3, 3)), file_, {"damaged"});
  expect_message(error_of([&] { png::read_size(file_ / "no"); }), file_ / "no", {});
}

TEST_F(Png, AFolderIsNoFile) {
  expect_message(error_of([&] { png::read(folder_.path()); }), folder_.path(), {"give a file"});
}

}  // namespace
}  // namespace fmbym
