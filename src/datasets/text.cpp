#include "datasets/text.hpp"

#include <charconv>
#include <cmath>
#include <system_error>

namespace fmbym::text {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view field) {
  const auto first = field.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return field.substr(first, field.find_last_not_of(kBlanks) - first + 1);
}

template <typename Number>
std::optional<Number> to_number(std::string_view field) {
  Number value{};
  const char* const end = field.data() + field.size();
  const auto [parsed_to, error] = std::from_chars(field.data(), end, value);
  if (error != std::errc{} || parsed_to != end) return std::nullopt;
  return value;
}

}  // namespace

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  for (std::size_t at = 0; at != std::string_view::npos;) {
    const std::size_t next = line.find(separator, at);
    fields.push_back(trimmed(line.substr(at, next == std::string_view::npos ? next : next - at)));
    at = next == std::string_view::npos ? next : next + 1;
  }
  return fields;
}

std::vector<std::string_view> lines(std::string_view contents) {
  auto all = split(contents, '\n');
  while (!all.empty() && all.back().empty()) all.pop_back();
  return all;
}

std::optional<std::int64_t> to_time(std::string_view field) {
  const auto value = to_number<std::int64_t>(field);
  return value && *value >= 0 ? value : std::nullopt;
}

std::optional<double> to_finite(std::string_view field) {
  const auto value = to_number<double>(field);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace fmbym::text
