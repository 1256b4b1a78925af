// A training run in JSON: what it was told, and what came of it.
#pragma once

#include "app/json.hpp"
#include "training/trainer.hpp"

namespace fmbym::app {

Json options_json(const training::TrainingOptions& options);

Json result_json(const training::TrainingResult& result, const training::TrainingOptions& options);

}  // namespace fmbym::app
