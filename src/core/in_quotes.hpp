// What a file holds, as it may appear in a message.
#pragma once

#include <string>
#include <string_view>

namespace fmbym {

// In quotes, short, and on one line of printable characters whatever the file holds.
// Not named quoted: std::quoted would be found instead.
std::string in_quotes(std::string_view text);

}  // namespace fmbym
