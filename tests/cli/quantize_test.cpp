// From a model in floating point to one in 8 bits, and what is refused.
#include <gtest/gtest.h>

#include "cli/results.hpp"
#include "fmbym/core/checksum.hpp"
#include "fmbym/core/file.hpp"
#include "fmbym/masking/mask_model.hpp"
#include "support/drive.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

namespace fs = std::filesystem;

class QuantizeCommand : public ::testing::Test {
 protected:
  QuantizeCommand() { write_model(model_, random_model(1, 127)); }

  Outcome quantize(const fs::path& model, const Arguments& more = {}) {
    Arguments arguments = {"quantize", model, "--data", sequence_.folder(), "--output", output_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  TemporaryFolder folder_;
  Drive drive_{.scans = 6};
  OxfordSequence sequence_ = write_drive(folder_ / "sequence", drive_);
  fs::path model_ = folder_ / "model.safetensors", output_ = folder_ / "model-int8.safetensors";
};

TEST_F(QuantizeCommand, MakesAModelThatOdometryTakes) {
  const Outcome outcome = quantize(model_, {"--json"});
  expect_done(outcome);
  const Json result = outcome.json();
  EXPECT_EQ(result["pairs"], 3);  // every other of the five
  EXPECT_EQ(result["sha256"], sha256_of_file(output_));
  EXPECT_LT(result["bytes"], 2.5e6);
  EXPECT_GT(result["mask_difference_mean"], 0);
  EXPECT_LT(result["mask_difference_mean"], 0.005);
  EXPECT_LT(result["mask_difference_max"], 0.05);
  const MaskModel integers = read_model(output_);
  EXPECT_EQ(integers.precision, Precision::int8);
  EXPECT_EQ(integers.info, read_model(model_).info);

  const Outcome drive =
      run({"odometry", sequence_.folder(), "--output", folder_ / "out", "--json", "--method", "f-mbym",
           "--precision", "int8", "--resolution", "127", "--model", output_});
  expect_done(drive);
  EXPECT_EQ(drive.json()["precision"], "int8");
}

TEST_F(QuantizeCommand, SaysWhatItDid) {
  const Outcome outcome = quantize(model_, {"--pairs", "1"});
  expect_done(outcome);
  expect_contains(outcome.out, {output_.string(), "MB", "from 1 pairs", "differ by"});
}

TEST_F(QuantizeCommand, OfTheSameScansIsTheSame) {
  expect_done(quantize(model_));
  const std::string once = read_file(output_);
  expect_done(quantize(model_, {"--threads", "1"}));
  EXPECT_EQ(read_file(output_), once);
}

TEST_F(QuantizeCommand, RefusesWhatMakesNoSense) {
  expect_failure(quantize(model_, {"--pairs", "0"}), kFailed, {"--pairs", "0"});
  expect_failure(quantize(folder_ / "none"), kFailed, {"none"});
  expect_failure(run({"quantize", model_, "--data", folder_ / "none", "--output", output_}), kFailed,
                 {"none"});
  expect_failure(run({"quantize", model_, "--data", sequence_.folder(), "--output", model_}), kFailed,
                 {"--output", "the model itself"});
  expect_failure(run({"quantize", model_, "--data", sequence_.folder(), "--output", folder_ / "no" / "x"}),
                 kFailed, {"no", "x"});
  EXPECT_FALSE(fs::exists(output_));
}

TEST_F(QuantizeCommand, RefusesAModelInEightBits) {
  expect_done(quantize(model_));
  fs::rename(output_, folder_ / "first");
  expect_failure(quantize(folder_ / "first"), kFailed, {"first", "8 bits", "floating point"});
  EXPECT_FALSE(fs::exists(output_));
}

}  // namespace
}  // namespace fmbym::testing
