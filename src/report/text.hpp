// Text that can be drawn.
#pragma once

#include <string>
#include <string_view>

namespace fmbym::report {

bool is_utf8(std::string_view text);

// The text as one line of UTF-8: a file's name may be any bytes, and cairo refuses a text that is not UTF-8.
std::string drawable(std::string_view text);

// The first bytes of the text, as many as that or a few less: no character is cut in two.
std::string_view first_bytes(std::string_view text, std::size_t count);

// A number with a true minus sign, and no minus before zero.
std::string number(double value, int decimals);

}  // namespace fmbym::report
