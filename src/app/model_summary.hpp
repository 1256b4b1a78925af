// What fmbym info says of a model.
#pragma once

#include <string>
#include <string_view>

#include "app/results.hpp"

namespace fmbym::app {

// Everything the file says of itself and what can be read off it. `name` stands for the file in messages.
Json model_summary(std::string_view contents, const std::string& name);

// Its member `convolutions` as a table for people, a line each.
std::string convolution_table(const Json& convolutions);

}  // namespace fmbym::app
