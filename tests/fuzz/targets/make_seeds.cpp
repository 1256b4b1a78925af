// make_seeds FOLDER: a few sound inputs for each target, from which the fuzzer starts.
#include <filesystem>
#include <string>
#include <vector>

#include "fmbym/core/file.hpp"
#include "fmbym/masking/mask_model.hpp"
#include "masking/models.hpp"
#include "support/oxford_writer.hpp"

using namespace fmbym;

namespace {

void write_seed(const std::filesystem::path& file, const std::string& contents) {
  std::filesystem::create_directories(file.parent_path());
  write_file(file, contents);
}

void write_weights_seeds(const std::filesystem::path& folder) {
  const MaskModel model = random_model(1, 127);
  write_seed(folder / "trained", to_bytes(random_weights(1, 127)));
  write_seed(folder / "int8", to_bytes(to_tensor_file(testing::quantized(model))));
  const std::vector<float> values = {1, -2, 0.5};
  write_seed(folder / "halves",
             to_bytes({{{"key", "value"}}, {{"t", make_tensor(TensorType::f16, {3, 1}, values)}}}));
}

// One turn of twelve rows with four bins, the third and the last of them invalid.
testing::OxfordScan small_scan() {
  testing::OxfordScan scan = testing::make_oxford_scan(testing::kScanStart_us, 12, 4);
  scan.valid[2] = scan.valid[11] = 0;
  return scan;
}

void write_text_seeds(const std::filesystem::path& folder) {
  write_seed(folder / "tum", "# t x y z qx qy qz qw\n1.5 0 0 0 0 0 0 1\n1.75 1.25 -0.5 0 0 0 1 0\n");
  write_seed(folder / "kitti", "1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 1.5 0 1 0 -2e-1 0 0 1 0\n");
  write_seed(folder / "csv",
             "source_timestamp,destination_timestamp,x,y,z,roll,pitch,yaw,source_radar_timestamp,"
             "destination_radar_timestamp\n2,1,1.5,0,0,0,0,0.1,2,1\n3,2,1e308,1e308,0,0,0,-0.1,3,2\n");
  write_seed(folder / "sensor", R"({"range_resolution": 0.175, "range_bins": 432, "azimuth_offset": 0.01})");
}

}  // namespace

int main(int, char** arguments) {
  const std::filesystem::path folder = arguments[1];
  write_weights_seeds(folder / "weights");
  write_seed(folder / "model" / "unchanged", "");
  const testing::OxfordScan scan = small_scan();
  const auto rows = testing::oxford_rows(scan);
  write_seed(folder / "scan" / "rows",
             static_cast<char>(11 + scan.bins) + std::string(rows.begin(), rows.end()));
  write_seed(folder / "scan" / "png", testing::encode_oxford(scan));
  write_text_seeds(folder / "text");
}
