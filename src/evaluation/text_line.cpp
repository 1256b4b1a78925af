#include "evaluation/text_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "core/in_quotes.hpp"
#include "fmbym/core/error.hpp"

namespace fmbym {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";
// Nanoseconds, and differences of them, fit 64 bits up to here; milliseconds and finer units since 1970
// don't.
constexpr double kLatest_s = 4e9;

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> columns;
  for (auto comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    columns.push_back(trim(text.substr(0, comma)));
    text.remove_prefix(comma + 1);
  }
  columns.push_back(trim(text));
  return columns;
}

std::vector<std::string_view> split_at_blanks(std::string_view text) {
  std::vector<std::string_view> columns;
  for (text = trim(text); !text.empty(); text = trim(text)) {
    const auto end = std::min(text.find_first_of(kBlanks), text.size());
    columns.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return columns;
}

// from_chars takes no plus sign.
std::string_view without_plus(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return text;
}

// The decimal number of the text times a power of ten, to the nearest integer, never by way of a double,
// which would lose the nanoseconds. The text must be a number other than zero whose result fits.
std::int64_t scaled_decimal(std::string_view text, int power) {
  int exponent = 0;
  if (const auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    const auto digits = without_plus(text.substr(e + 1));
    std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    text = text.substr(0, e);
  }
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const auto point = static_cast<std::int64_t>(std::min(text.find('.'), text.size()));
  std::string digits(text);
  std::erase(digits, '.');

  const std::int64_t kept = point + power + exponent;
  const auto digit = [&](std::int64_t i) {
    return i >= 0 && i < std::ssize(digits) ? digits[static_cast<std::size_t>(i)] - '0' : 0;
  };
  std::int64_t value = 0;
  for (std::int64_t i = 0; i < kept; ++i) value = 10 * value + digit(i);
  if (digit(kept) >= 5) ++value;
  return negative ? -value : value;
}

}  // namespace

TextLine::TextLine(std::string_view file, std::size_t line_number, std::string_view text)
    : file_(file),
      line_number_(line_number),
      has_commas_(text.find(',') != std::string_view::npos),
      columns_(has_commas_ ? split_at_commas(text) : split_at_blanks(text)) {}

double TextLine::number(std::size_t i) const {
  const std::string_view text = without_plus(column(i));
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    fail(fmt::format("column {} is {}, not a number", i + 1, in_quotes(column(i))), "correct the line");
  if (!std::isfinite(value))
    fail(fmt::format("column {} is {}", i + 1, in_quotes(column(i))), "every number must be finite");
  return value;
}

std::int64_t TextLine::time_ns(std::size_t i, TimeUnit unit) const {
  const int power = static_cast<int>(unit);
  const double rounded_s = number(i) * std::pow(10.0, power - 9);
  if (std::abs(rounded_s) > kLatest_s) {
    const char* expected = unit == TimeUnit::seconds ? "seconds" : "microseconds";
    fail(fmt::format("the time {} is too large for {}", in_quotes(column(i)), expected),
         fmt::format("give times in {}", expected));
  }
  return rounded_s == 0 ? 0 : scaled_decimal(without_plus(column(i)), power);
}

void TextLine::expect_columns(std::size_t expected) const {
  if (columns() != expected)
    fail(fmt::format("{} columns where the first line has {}", columns(), expected),
         "complete the line, or cut the file there if it was not written to its end");
}

void TextLine::fail(std::string_view what, std::string_view remedy) const {
  throw Error(fmt::format("{}:{}: {}; {}", file_, line_number_, what, remedy));
}

std::vector<TextLine> lines_with_content(std::string_view file, std::string_view contents) {
  if (contents.starts_with("\xEF\xBB\xBF")) contents.remove_prefix(3);  // the byte order mark of some editors
  std::vector<TextLine> lines;
  for (std::size_t number = 1; !contents.empty(); ++number) {
    const auto end = std::min(contents.find('\n'), contents.size());
    const std::string_view text = trim(contents.substr(0, end));
    if (!text.empty() && !text.starts_with('#')) lines.emplace_back(file, number, text);
    contents.remove_prefix(std::min(end + 1, contents.size()));
  }
  return lines;
}

}  // namespace fmbym
