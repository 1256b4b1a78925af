#include <fmt/format.h>
#include <spng.h>

#include <cstdlib>
#include <memory>

#include "datasets/png.hpp"
#include "fmbym/core/error.hpp"

namespace fmbym::png {
namespace {

void check(int code) {
  if (code != SPNG_OK)
    throw Error(fmt::format("a PNG cannot be encoded: {}; free some memory", spng_strerror(code)));
}

}  // namespace

std::string encode(const GreyImage& image) {
  // Noise does not compress: the fastest level makes files nearly as small as the best.
  constexpr int fastest = 1;
  const std::unique_ptr<spng_ctx, void (*)(spng_ctx*)> context(spng_ctx_new(SPNG_CTX_ENCODER), spng_ctx_free);
  spng_ihdr header{};
  header.width = static_cast<std::uint32_t>(image.size.columns);
  header.height = static_cast<std::uint32_t>(image.size.rows);
  header.bit_depth = 8;
  header.color_type = SPNG_COLOR_TYPE_GRAYSCALE;
  check(spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1));
  check(spng_set_option(context.get(), SPNG_IMG_COMPRESSION_LEVEL, fastest));
  check(spng_set_option(context.get(), SPNG_FILTER_CHOICE, SPNG_DISABLE_FILTERING));
  check(spng_set_ihdr(context.get(), &header));
  check(spng_encode_image(context.get(), image.pixels.data(), image.pixels.size(), SPNG_FMT_PNG,
                          SPNG_ENCODE_FINALIZE));
  std::size_t size = 0;
  int code = SPNG_OK;
  const std::unique_ptr<void, void (*)(void*)> bytes(spng_get_png_buffer(context.get(), &size, &code),
                                                     std::free);
  check(code);
  return {static_cast<const char*>(bytes.get()), size};
}

}  // namespace fmbym::png
