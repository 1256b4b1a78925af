#include "app/train/training_record.hpp"

#include "app/version.hpp"
#include "fmbym/core/checksum.hpp"
#include "training/training_log.hpp"

namespace fmbym::app {
namespace {

Json names(const std::vector<std::filesystem::path>& sequences) {
  Json list = Json::array();
  for (const auto& sequence : sequences) list.push_back(sequence.string());
  return list;
}

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

const char* to_string(training::StopReason reason) {
  switch (reason) {
    case training::StopReason::finished:
      return "finished";
    case training::StopReason::out_of_time:
      return "out of time";
    case training::StopReason::interrupted:
      return "interrupted";
  }
  return "?";
}

}  // namespace

Json options_json(const training::TrainingOptions& options) {
  const CalibrationOverride& sensor = options.calibration;
  return {{"version", kVersion},
          {"method", to_string(options.method)},
          {"preset", to_string(options.preset)},
          {"resolution", options.resolution},
          {"train", names(options.train)},
          {"val", names(options.val)},
          {"poses", to_string(options.poses)},
          {"epochs", options.epochs},
          {"batch", options.pairs_a_step()},
          {"lr", options.step_size()},
          {"anneal", options.anneal},
          {"loss_weights", {{"yaw", options.loss.yaw}, {"x", options.loss.x}, {"y", options.loss.y}}},
          {"loss_limit", options.loss.limit},
          {"likelihood", options.loss.likelihood},
          {"augment", options.augment},
          {"pretrain_epochs", options.consistency_epochs},
          {"init", options.init.empty() ? Json(nullptr) : Json(options.init.string())},
          {"seed", options.seed},
          {"minutes", options.minutes},
          {"threads", options.threads},
          {"device", options.device},
          {"sensor",
           {{"range_resolution_m", or_null(sensor.range_resolution)},
            {"range_offset_m", or_null(sensor.range_offset)},
            {"azimuth_offset_rad", or_null(sensor.azimuth_offset)}}},
          {"licence", options.licence}};
}

Json result_json(const training::TrainingResult& result, const training::TrainingOptions& options) {
  const bool has_model = !result.model.empty();
  return {{"method", to_string(options.method)},
          {"resolution", options.resolution},
          {"preset", to_string(options.preset)},
          {"stopped", to_string(result.reason)},
          {"epochs", result.epochs_done},
          {"best_epoch", result.best_epoch},
          {"best", training::validation_json(result.best)},
          {"seconds", result.seconds},
          {"model", has_model ? Json(result.model.string()) : Json(nullptr)},
          {"model_sha256", has_model ? Json(sha256_of_file(result.model)) : Json(nullptr)},
          {"version", kVersion}};
}

}  // namespace fmbym::app
