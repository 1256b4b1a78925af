// Bytes as text (RFC 4648), for pictures within a page.
#pragma once

#include <string>
#include <string_view>

namespace fmbym::report {

inline std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;  // of three bytes, zeros where there are fewer
    for (std::size_t k = i; k < i + 3; ++k)
      group = group << 8 | (k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0U);
    for (std::size_t digit = 0; digit < 4; ++digit)
      text += i + digit <= bytes.size() ? digits[group >> (18 - 6 * digit) & 63] : '=';
  }
  return text;
}

}  // namespace fmbym::report
