// What fmbym info says of a model.
#pragma once

#include <string>
#include <string_view>

#include "app/results.hpp"
#include "fmbym/masking/mask_model.hpp"

namespace fmbym::app {

// Everything the file says of itself and what can be read off it. `name` stands for the file in messages.
Json model_summary(std::string_view contents, const std::string& name);

// How it was trained: the part of it that also goes beside results.
Json training_json(const ModelInfo& info);

// Its member `convolutions` as a table for people, a line each.
std::string convolution_table(const Json& convolutions);

}  // namespace fmbym::app
