// The weights that come with the program: each is what its name and the table beside it say.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "fmbym/core/checksum.hpp"
#include "fmbym/core/file.hpp"
#include "fmbym/datasets/dataset.hpp"
#include "fmbym/evaluation/metrics.hpp"
#include "fmbym/masking/mask_network.hpp"
#include "fmbym/odometry/odometry.hpp"
#include "support/real_data.hpp"

namespace fmbym {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> shipped_models() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(FMBYM_SOURCE_DIR) / "models"))
    if (entry.path().extension() == ".safetensors") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// Trained on simulated drives only, and free of anyone's licence but the program's.
bool is_simulated(const fs::path& file) {
  return file.stem().string().find("-simulated") != std::string::npos;
}

TEST(ShippedModels, AreWhatTheirNamesSay) {
  ASSERT_FALSE(shipped_models().empty());
  for (const fs::path& file : shipped_models()) {
    const MaskModel model = read_model(file);
    check_units(model, file.string());
    const std::string suffix = std::string(is_simulated(file) ? "-simulated" : "") +
                               (model.precision == Precision::int8 ? "-int8" : "");
    EXPECT_EQ(file.stem().string(), model.info.method + "-" + std::to_string(model.info.resolution) + "-" +
                                        model.info.preset + suffix);
    EXPECT_TRUE(model.info.validation_translation_percent) << file;
    const std::string licence = is_simulated(file) ? "BSD-3-Clause" : "CC BY-NC-SA 4.0";
    EXPECT_NE(model.info.licence.find(licence), std::string::npos) << file;
  }
}

KittiScore::Error score_on_val(const MaskModel& model) {
  OdometryConfig config =
      make_config(parse_method(model.info.method), parse_preset(model.info.preset), model.info.resolution);
  set_model(config, std::make_shared<MaskModel>(model));
  Odometry odometry(config);
  const auto dataset = open_dataset(testing::real_data("oxford-reduced/val"));
  Trajectory truth, path;
  for (std::size_t i = 0; i < dataset->size(); ++i) {
    path.T_world.push_back(to_spatial(odometry.register_scan(dataset->read(i)).T_world_curr));
    truth.T_world.push_back(to_spatial(*dataset->ground_truth()[i]));
  }
  return kitti_score(truth, path)->mean;
}

// The file says how good it was in training. Another processor rounds otherwise.
TEST(ShippedModels, ScoreWhatTheySay) {
  FMBYM_NEEDS_REAL_DATA("oxford-reduced/val");
  for (const fs::path& file : shipped_models()) {
    const MaskModel model = read_model(file);
    if (model.info.resolution > (model.info.method == "f-mbym" ? 255 : 127)) continue;  // would take minutes
    if (model.precision != Precision::fp32 || is_simulated(file)) continue;
    const KittiScore::Error score = score_on_val(model);
    EXPECT_NEAR(score.translation_percent, *model.info.validation_translation_percent, 0.02) << file;
    EXPECT_NEAR(score.rotation_deg_per_km, *model.info.validation_rotation_deg_per_km, 0.1) << file;
  }
}

TEST(ShippedModels, AreInTheTableWithTheirSums) {
  const std::string table = read_file(fs::path(FMBYM_SOURCE_DIR) / "models/README.md");
  std::uintmax_t bytes = 0;
  for (const fs::path& file : shipped_models()) {
    EXPECT_NE(table.find(file.filename().string()), std::string::npos) << file;
    EXPECT_NE(table.find(sha256(read_file(file))), std::string::npos) << file;
    bytes += fs::file_size(file);
  }
  EXPECT_LT(bytes, 60'000'000u);
}

}  // namespace
}  // namespace fmbym
