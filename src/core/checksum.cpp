#include "fmbym/core/checksum.hpp"

#include <sha2.h>

#include <cstdint>

#include "fmbym/core/file.hpp"

namespace fmbym {

std::string sha256(std::string_view bytes) {
  char digits[SHA256_DIGEST_STRING_LENGTH];
  SHA256Data(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), digits);
  return digits;
}

std::string sha256_of_file(const std::filesystem::path& file) {
  return sha256(read_file(file));
}

}  // namespace fmbym
