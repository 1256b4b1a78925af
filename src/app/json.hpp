// JSON whose members stay in the order in which they were written.
#pragma once

#include <nlohmann/json.hpp>

namespace fmbym::app {

using Json = nlohmann::ordered_json;

}  // namespace fmbym::app
