#include "datasets/png.hpp"

#include <fmt/format.h>
#include <spng.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"

namespace fmbym::png {
namespace {

constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);
constexpr std::uint32_t kLargestSide = 65535;     // [pixels], ten times the largest radar image
constexpr std::size_t kLargestChunk = 64u << 20;  // of text, profiles and the like [bytes]
constexpr std::uint64_t kDeflateLimit = 1032;     // bytes one byte of a deflate stream can become at most

struct FreeContext {
  void operator()(spng_ctx* context) const { spng_ctx_free(context); }
};

class PngFile {
 public:
  PngFile(const std::filesystem::path& file, std::string bytes)
      : file_(file), bytes_(std::move(bytes)), context_(spng_ctx_new(0)) {
    if (!context_) fail("not enough memory to decode it", "free some memory");
    require_signature();
    check(spng_set_image_limits(context_.get(), kLargestSide, kLargestSide));
    check(spng_set_chunk_limits(context_.get(), kLargestChunk, kLargestChunk));
    // Damage in a chunk we don't need is damage all the same.
    check(spng_set_crc_action(context_.get(), SPNG_CRC_ERROR, SPNG_CRC_ERROR));
    check(spng_set_png_buffer(context_.get(), bytes_.data(), bytes_.size()));
  }

  Size size() {
    spng_ihdr header;
    check(spng_get_ihdr(context_.get(), &header));
    require_grey(header);
    require_possible(header);
    return {static_cast<int>(header.height), static_cast<int>(header.width)};
  }

  GreyImage image() {
    GreyImage image{size(), {}};
    std::size_t bytes = 0;
    check(spng_decoded_image_size(context_.get(), SPNG_FMT_PNG, &bytes));
    image.pixels.resize(bytes);
    check(spng_decode_image(context_.get(), image.pixels.data(), bytes, SPNG_FMT_PNG, 0));
    check(spng_decode_chunks(context_.get()));  // up to the end mark, whose absence is a truncated file
    return image;
  }

 private:
  [[noreturn]] void fail(std::string_view wrong, std::string_view remedy) const {
    throw Error(fmt::format("{}: {}; {}", file_.string(), wrong, remedy));
  }

  void check(int code) const {
    constexpr auto again = "copy or download it again";
    switch (code) {
      case SPNG_OK:
        return;
      case SPNG_IO_EOF:
        fail(fmt::format("expected a whole PNG, found it cut off after {} bytes", bytes_.size()), again);
      case SPNG_EUSER_WIDTH:
      case SPNG_EUSER_HEIGHT:
        fail(fmt::format("expected at most {0} x {0} pixels, found more", kLargestSide),
             "check that it is a radar scan");
      case SPNG_EMEM:
        fail("not enough memory to decode it", "free some memory");
      default:
        fail(fmt::format("expected a sound PNG, found it damaged ({})", spng_strerror(code)), again);
    }
  }

  void require_signature() const {
    if (bytes_.empty()) fail("expected an 8-bit grey PNG, found an empty file", "copy or download it again");
    const std::string_view start = std::string_view(bytes_).substr(0, kSignature.size());
    if (!kSignature.starts_with(start))
      fail("expected an 8-bit grey PNG, found no PNG at all", "give a radar scan such as radar/<time>.png");
  }

  void require_grey(const spng_ihdr& header) const {
    if (header.bit_depth == 8 && header.color_type == SPNG_COLOR_TYPE_GRAYSCALE) return;
    const auto colours = [&] {
      switch (header.color_type) {
        case SPNG_COLOR_TYPE_GRAYSCALE:
          return "grey";
        case SPNG_COLOR_TYPE_TRUECOLOR:
          return "colour";
        case SPNG_COLOR_TYPE_INDEXED:
          return "palette";
        case SPNG_COLOR_TYPE_GRAYSCALE_ALPHA:
          return "grey with transparency";
        default:
          return "colour with transparency";
      }
    }();
    fail(fmt::format("expected an 8-bit grey PNG, found {}-bit {}", header.bit_depth, colours),
         "give the scan as the radar wrote it, not a picture of it");
  }

  // A few bytes can claim gigabytes of pixels; memory is taken only for what the file can really hold.
  void require_possible(const spng_ihdr& header) const {
    if (std::uint64_t{header.width} * header.height <= kDeflateLimit * bytes_.size()) return;
    fail(fmt::format("expected {} x {} pixels by its header, found a file of {} bytes, too small for them",
                     header.width, header.height, bytes_.size()),
         "copy or download it again");
  }

  std::filesystem::path file_;
  std::string bytes_;
  std::unique_ptr<spng_ctx, FreeContext> context_;
};

}  // namespace

GreyImage read(const std::filesystem::path& file) {
  return decode(read_file(file), file);
}

GreyImage decode(std::string bytes, const std::filesystem::path& file) {
  return PngFile(file, std::move(bytes)).image();
}

Size read_size(const std::filesystem::path& file) {
  return PngFile(file, read_file(file)).size();
}

}  // namespace fmbym::png
