// Lines of a text file that know where they are, so that every complaint can name the place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fmbym {

// Its value is the power of ten that makes nanoseconds of the unit.
enum class TimeUnit { seconds = 9, microseconds = 3 };

// Points into the file's name and contents, which must outlive it.
class TextLine {
 public:
  // Columns are separated by commas where the line has any, otherwise by runs of blanks.
  TextLine(std::string_view file, std::size_t line_number, std::string_view text);

  std::size_t columns() const { return columns_.size(); }
  std::string_view column(std::size_t i) const { return columns_[i]; }
  bool has_commas() const { return has_commas_; }

  // All of these throw Error when the column holds something else.
  double number(std::size_t i) const;  // finite
  std::int64_t time_ns(std::size_t i, TimeUnit unit) const;
  void expect_columns(std::size_t expected) const;

  // Throws Error: "<file>:<line>: <what>; <remedy>".
  [[noreturn]] void fail(std::string_view what, std::string_view remedy) const;

 private:
  std::string_view file_;
  std::size_t line_number_;
  bool has_commas_;
  std::vector<std::string_view> columns_;
};

// All lines but blank ones and those that start with #.
std::vector<TextLine> lines_with_content(std::string_view file, std::string_view contents);

}  // namespace fmbym
