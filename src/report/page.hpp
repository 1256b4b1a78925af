// The parts of the report's page, as src/report/page has them; compiled in, so that no file has to be found
// when the program runs.
#pragma once

#include <string_view>

namespace fmbym::report {

extern const std::string_view kPage, kStyle, kPlots, kScript;

}  // namespace fmbym::report
