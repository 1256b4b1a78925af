// What a weights file says of itself, between strings and values.
#pragma once

#include <string>

#include "fmbym/masking/mask_model.hpp"

namespace fmbym {

// Throws Error naming the file and the key when one is missing or makes no sense. Unknown keys are fine.
ModelInfo info_of(const TensorFile& file, const std::string& name);

}  // namespace fmbym
