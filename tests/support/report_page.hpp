// What stands in the page of a report.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace fmbym::testing {

// The data that the page draws.
inline nlohmann::json data_of(const std::string& page) {
  const std::string begin = R"(<script id="data" type="application/json">)";
  const std::size_t first = page.find(begin);
  if (first == std::string::npos) throw std::runtime_error("the page holds no data");
  const std::size_t from = first + begin.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

inline std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

}  // namespace fmbym::testing
