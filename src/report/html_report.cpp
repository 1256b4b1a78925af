#include "fmbym/report/html_report.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "fmbym/core/file.hpp"
#include "report/page.hpp"
#include "report/report_payload.hpp"

namespace fmbym {
namespace report {
namespace {

std::string replaced(std::string_view text, char wanted, std::string_view by) {
  std::string result;
  for (const char c : text) c == wanted ? result += by : result += c;
  return result;
}

std::string as_html(std::string_view text) {
  return replaced(replaced(replaced(text, '&', "&amp;"), '<', "&lt;"), '>', "&gt;");
}

// Within a script element nothing but "<" can end it or begin a comment; in JSON it stands in strings only.
// What is no UTF-8, as names of files may be, is replaced.
std::string as_script_data(const nlohmann::ordered_json& json) {
  return replaced(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace), '<',
                  "\\u003c");
}

// The template with its places filled in, in the order in which they stand there: what was filled in is not
// searched again.
std::string filled(std::string_view page,
                   const std::array<std::pair<std::string_view, std::string_view>, 5>& places) {
  std::string result;
  for (const auto& [place, contents] : places) {
    const std::size_t at = page.find(place);
    result += page.substr(0, at);
    result += contents;
    page.remove_prefix(at + place.size());
  }
  return result += page;
}

}  // namespace
}  // namespace report

std::string html_report(const Report& report) {
  using namespace report;
  const nlohmann::ordered_json payload = payload_of(report);
  const std::string data = as_script_data(payload);
  // As the page has it: with what is no UTF-8 replaced.
  const std::string title = as_html(nlohmann::ordered_json::parse(data)["title"].get<std::string>());
  return filled(kPage, {{{"{{title}}", title},
                         {"{{style.css}}", kStyle},
                         {"{{data}}", data},
                         {"{{plots.js}}", kPlots},
                         {"{{report.js}}", kScript}}});
}

void write_html_report(const std::filesystem::path& file, const Report& report) {
  write_file(file, html_report(report));
}

}  // namespace fmbym
