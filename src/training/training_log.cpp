#include "training/training_log.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"

namespace fmbym::training {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

std::optional<ValidationReport> parse_validation(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return ValidationReport{json.at("translation_percent"), json.at("rotation_deg_per_km"), json.at("x_m"),
                          json.at("y_m"), json.at("yaw_rad")};
}

Json epoch_json(const EpochReport& report) {
  return {{"epoch", report.epoch},
          {"stage", report.stage},
          {"loss", report.loss},
          {"pairs_per_second", report.rate},
          {"data_share", report.data_share},
          {"seconds", report.seconds},
          {"validation", validation_json(report.validation)},
          {"best", report.best}};
}

EpochReport parse_epoch(const Json& line) {
  return {line.at("epoch"),
          line.at("stage"),
          line.at("loss"),
          line.at("pairs_per_second"),
          line.at("data_share"),
          line.at("seconds"),
          parse_validation(line.at("validation")),
          line.at("best")};
}

}  // namespace

Json validation_json(const std::optional<ValidationReport>& validation) {
  if (!validation) return nullptr;
  return {{"translation_percent", validation->translation_percent},
          {"rotation_deg_per_km", validation->rotation_deg_per_km},
          {"x_m", validation->x},
          {"y_m", validation->y},
          {"yaw_rad", validation->yaw}};
}

TrainingLog::TrainingLog(fs::path file, bool resumed) : file_(std::move(file)), resumed_(resumed) {}

void TrainingLog::append(const EpochReport& report) {
  if (!begun_) keep_epochs_before(resumed_ ? report.epoch : 0);
  begun_ = true;
  std::ofstream out(file_, std::ios::app);
  out << epoch_json(report).dump() << '\n' << std::flush;
  if (!out)
    throw Error(fmt::format("{}: cannot write: {}; free some space, then --resume", file_.string(),
                            std::strerror(errno)));
}

void TrainingLog::keep_epochs_before(int epoch) const {
  std::string kept;
  for (const EpochReport& former : read_training_log(file_))
    if (former.epoch < epoch) kept += epoch_json(former).dump() + '\n';
  write_file(file_, kept);
}

std::vector<EpochReport> read_training_log(const fs::path& file) {
  std::vector<EpochReport> epochs;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    try {
      epochs.push_back(parse_epoch(Json::parse(line)));
    } catch (const Json::exception&) {
      continue;  // cut off when the program was killed or the disk was full
    }
  }
  return epochs;
}

}  // namespace fmbym::training
