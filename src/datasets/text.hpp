// Reading the small text files beside the scans.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fmbym::text {

// The lines without their ends (LF or CRLF) and without blank lines at the end. They point into `contents`.
std::vector<std::string_view> lines(std::string_view contents);

// The fields between separators, without blanks around them.
std::vector<std::string_view> split(std::string_view line, char separator);

// The whole field as a number, or nothing. Times are whole microseconds, not negative.
std::optional<std::int64_t> to_time(std::string_view field);
std::optional<double> to_finite(std::string_view field);

}  // namespace fmbym::text
