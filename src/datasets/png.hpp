// 8-bit grey PNGs, the only kind a radar writes; everything else is an Error that says what was found
// instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fmbym::png {

struct Size {
  int rows = 0;
  int columns = 0;
};

struct GreyImage {
  Size size;
  std::vector<std::uint8_t> pixels;  // (row, column)

  const std::uint8_t* row(int r) const {
    return pixels.data() + static_cast<std::ptrdiff_t>(r) * size.columns;
  }
};

GreyImage read(const std::filesystem::path& file);
// The same from memory; `file` stands for it in messages.
GreyImage decode(std::string bytes, const std::filesystem::path& file);

// From the header alone: nothing is inflated.
Size read_size(const std::filesystem::path& file);

// The bytes of the file. Throws Error only when memory runs out.
std::string encode(const GreyImage& image);

}  // namespace fmbym::png
