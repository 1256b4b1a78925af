// A report as the JSON that its page draws.
#pragma once

#include <nlohmann/json.hpp>

#include "fmbym/report/html_report.hpp"

namespace fmbym::report {

// Numbers rounded to what a plot can show. Throws Error as html_report does.
nlohmann::ordered_json payload_of(const Report& report);

}  // namespace fmbym::report
