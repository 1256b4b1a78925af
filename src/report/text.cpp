#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fmbym::report {
namespace {

// Bytes of the character that starts with this byte; 0 if none does.
std::size_t length_of(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  if (lead >= 0xf0 && lead < 0xf5) return 4;
  return 0;
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// The second byte tells overlong forms, surrogates and what is beyond Unicode.
bool is_allowed(unsigned char lead, unsigned char second) {
  switch (lead) {
    case 0xe0:
      return second >= 0xa0;
    case 0xed:
      return second < 0xa0;
    case 0xf0:
      return second >= 0x90;
    case 0xf4:
      return second < 0x90;
    default:
      return true;
  }
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = length_of(lead);
    if (length == 0 || length > text.size()) return false;
    const auto rest = text.substr(1, length - 1);
    if (!std::all_of(rest.begin(), rest.end(), is_continuation)) return false;
    if (length > 1 && !is_allowed(lead, static_cast<unsigned char>(rest.front()))) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string drawable(std::string_view text) {
  std::string line(text);
  const bool sound = is_utf8(text);
  for (char& c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) c = ' ';
    if (byte >= 0x80 && !sound) c = '?';
  }
  return line;
}

std::string_view first_bytes(std::string_view text, std::size_t count) {
  if (count >= text.size()) return text;
  while (count > 0 && is_continuation(text[count])) --count;
  return text.substr(0, count);
}

std::string number(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (!text.starts_with('-')) return text;
  text.erase(0, 1);
  const bool zero = text.find_first_not_of("0.") == std::string::npos;
  return zero ? text : "−" + text;
}

}  // namespace fmbym::report
