// The methods with masks: which model they take, what they say of it, and what they refuse.
#include <gtest/gtest.h>

#include "cli/results.hpp"
#include "fmbym/core/checksum.hpp"
#include "masking/models.hpp"
#include "support/drive.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

namespace fs = std::filesystem;

class MaskedMethods : public ::testing::Test {
 protected:
  // At --resolution 127 and with --method f-mbym unless `more` says otherwise.
  Outcome odometry(const Arguments& more, const Surroundings& surroundings = {}) {
    Arguments arguments = {"odometry", sequence_.folder(), "--output", output_, "--json"};
    const auto unless_given = [&](const char* option, const char* value) {
      if (std::ranges::find(more, option) == more.end()) arguments.insert(arguments.end(), {option, value});
    };
    unless_given("--resolution", "127");
    unless_given("--method", "f-mbym");
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, surroundings);
  }
  // Before any work: nothing is written.
  void refuse(const Arguments& more, std::initializer_list<std::string_view> parts) {
    SCOPED_TRACE(::testing::PrintToString(more));
    expect_failure(odometry(more), kFailed, parts);
    expect_no_files(output_);
  }
  fs::path write(const fs::path& name, const MaskModel& model) {
    fs::create_directories((folder_ / name).parent_path());
    write_model(folder_ / name, model);
    return folder_ / name;
  }

  TemporaryFolder folder_;
  Drive drive_{.scans = 3};
  OxfordSequence sequence_ = write_drive(folder_ / "sequence", drive_);
  fs::path output_ = folder_ / "out";
  fs::path model_ = write("given.safetensors", random_model(1, 127));
};

// An untrained network gives masks of about a half that vary little, and change little.
TEST_F(MaskedMethods, WithMildMasksFindWhatTheRawOnesDo) {
  for (const std::string preset : {"default", "paper"})
    for (const auto& [method, raw] : {std::pair{"f-mbym", "f-raw"}, std::pair{"mbym", "raw"}}) {
      SCOPED_TRACE(method + (" " + preset));
      Arguments without_masks = {"--method", raw, "--preset", preset};
      // A peak this sharp is drawn to whole pixels, from which f-mbym keeps away in that preset.
      if (preset == "paper" && raw == std::string("f-raw"))
        without_masks.insert(without_masks.end(), {"--set", "fourier.lags_per_pixel=2"});
      expect_done(odometry(without_masks));
      const SE2 expected = Results(output_).pose(2);
      const Outcome outcome = odometry({"--model", model_, "--method", method, "--preset", preset});
      expect_done(outcome);
      EXPECT_EQ(outcome.json()["method"], method);
      EXPECT_EQ(outcome.json()["unreliable"], 0);
      expect_near(Results(output_).pose(2), expected, 0.08, 0.005);  // a tenth of a pixel
    }
}

TEST_F(MaskedMethods, SayWhichModelItWas) {
  const Outcome outcome = odometry({"--model", model_});
  expect_done(outcome);
  const Json summary = outcome.json();
  EXPECT_EQ(summary["precision"], "fp32");
  EXPECT_EQ(summary["model_sha256"], sha256_of_file(model_));
  EXPECT_GT(summary["timing_ms"]["mask"], 0);
  const Json config = Results(output_).config, model = config["model"];
  EXPECT_EQ(config["model_sha256"], summary["model_sha256"]);
  EXPECT_EQ(model["sha256"], summary["model_sha256"]);
  EXPECT_EQ(model["file"], model_.string());
  EXPECT_EQ(model["resolution"], 127);
  EXPECT_EQ(model["metres_per_pixel"], 0.8);
  EXPECT_EQ(model["training_data"], "none: random weights of seed 1");
  EXPECT_EQ(model["any_resolution"], false);
  for (const CsvRow& row : Results(output_).increments) EXPECT_GT(number(row, "mask_ms"), 0);
}

TEST_F(MaskedMethods, AreTheOnlyOnesWithAModel) {
  for (const char* method : {"f-raw", "raw"}) {
    refuse({"--method", method, "--model", model_}, {"--model", method, "f-mbym", "leave the option out"});
    refuse({"--method", method, "--precision", "int8"}, {"--precision", method, "f-mbym"});
    refuse({"--method", method, "--any-resolution"}, {"--any-resolution", method, "f-mbym"});
  }
  const Outcome outcome = odometry({"--method", "f-raw"});
  expect_done(outcome);
  EXPECT_EQ(outcome.json()["timing_ms"]["mask"], 0);
  EXPECT_EQ(outcome.json()["model_sha256"], nullptr);
  EXPECT_EQ(Results(output_).config["model"], nullptr);
}

TEST_F(MaskedMethods, TextHasTheTimeOfTheMasks) {
  const auto text = [&](const Arguments& more) {
    Arguments arguments = {"odometry", sequence_.folder(), "--output", output_, "--resolution", "127"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments).out;
  };
  expect_contains(text({"--method", "f-mbym", "--model", model_}), {"f-mbym at 127", ", mask "});
  EXPECT_EQ(text({}).find("mask"), std::string::npos);
}

TEST_F(MaskedMethods, ThreadsChangeNoByte) {
  for (const char* preset : {"default", "paper"}) {
    const auto trajectory = [&](const char* threads) {
      expect_done(odometry({"--model", model_, "--preset", preset, "--threads", threads}));
      return read_file(output_ / "trajectory_tum.txt");
    };
    const std::string alone = trajectory("1");
    for (const char* threads : {"2", "3"}) EXPECT_EQ(trajectory(threads), alone) << threads;
  }
}

TEST_F(MaskedMethods, RefuseAModelOfAnotherResolution) {
  const std::initializer_list<std::string_view> parts = {"255 pixels of 0.4 m", "127 pixels of 0.8 m",
                                                         "--any-resolution"};
  refuse({"--model", model_, "--resolution", "255"}, parts);
  expect_done(odometry({"--model", model_, "--resolution", "255", "--any-resolution"}));
  EXPECT_EQ(Results(output_).config["model"]["any_resolution"], true);
  EXPECT_EQ(Results(output_).config["model"]["resolution"], 127);
}

TEST_F(MaskedMethods, RefuseImagesTooSmallForTheNetwork) {
  refuse({"--model", model_, "--resolution", "63", "--any-resolution"},
         {"--resolution 63", "at least 64", "; "});
}

TEST_F(MaskedMethods, RefuseAModelOfAnotherPrecision) {
  refuse({"--model", model_, "--precision", "int8"},
         {"given.safetensors", "int8", "fp32", "fmbym quantize", "--data SEQUENCE"});
  const fs::path int8 = write("int8.safetensors", quantized(random_model(1, 127)));
  refuse({"--model", int8, "--precision", "fp32"}, {"int8.safetensors", "fp32", "found one in int8", "; "});
  refuse({"--model", model_, "--precision", "fp16"}, {"--precision fp16", "fp32, int8"});
  expect_done(odometry({"--model", model_, "--precision", "fp32"}));
}

TEST_F(MaskedMethods, RefuseFilesThatAreNoModel) {
  refuse({"--model", folder_ / "nowhere.safetensors"},
         {"nowhere.safetensors", "cannot read", "check the path"});
  refuse({"--model", folder_.path()}, {folder_.path().c_str(), "; "});
  const std::string bytes = read_file(model_);
  write_file(model_, bytes.substr(0, bytes.size() / 2));
  refuse({"--model", model_}, {"given.safetensors", "cut off"});
  write_file(model_, "Sing goddess the anger");
  refuse({"--model", model_}, {"given.safetensors", "found something else"});
  write_file(model_, "");
  refuse({"--model", model_}, {"given.safetensors", "; "});
}

TEST_F(MaskedMethods, NameTheFileWhoseIntegersDoNotFitTogether) {
  MaskModel model = quantized(random_model(1, 127));
  model.layers[2].quantized->input_scale *= 2;
  refuse({"--model", write("odd.safetensors", model)}, {"odd.safetensors", "h2.conv1", "quantize"});
}

TEST_F(MaskedMethods, SayWhereTheyLookedForAModel) {
  refuse({"--resolution", "101"},
         {"--method f-mbym", "f-mbym-101-default.safetensors or f-mbym-101.safetensors", "share/fmbym/models",
          "--model FILE", "FMBYM_MODELS", "fmbym train", "f-raw"});
  refuse(
      {"--resolution", "101", "--preset", "paper", "--method", "mbym", "--precision", "int8"},
      {"mbym-101-paper-int8.safetensors or mbym-101-int8.safetensors or f-mbym-101-paper-int8", "use raw"});
}

TEST_F(MaskedMethods, FindTheirModelInTheFolderOfTheVariable) {
  const Surroundings around = {.environment = {{"FMBYM_MODELS", folder_ / "models"}}};
  const auto used = [&](const Arguments& more) {
    Arguments arguments = {"--resolution", "101"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = odometry(arguments, around);
    expect_done(outcome);
    return Results(output_).config["model"]["file"].get<std::string>();
  };
  const MaskModel model = random_model(1, 101);
  const fs::path any = write("models/f-mbym-101.safetensors", model);
  EXPECT_EQ(used({}), any);
  const fs::path paper = write("models/f-mbym-101-paper.safetensors", model);
  EXPECT_EQ(used({}), any);
  EXPECT_EQ(used({"--preset", "paper"}), paper);
  EXPECT_EQ(used({"--preset", "paper", "--precision", "fp32"}), paper);
  EXPECT_EQ(used({"--model", any, "--preset", "paper"}), any);
  const fs::path int8 = write("models/f-mbym-101-int8.safetensors", quantized(model));
  EXPECT_EQ(used({}), any);
  EXPECT_EQ(used({"--preset", "paper", "--precision", "int8"}), int8);
  EXPECT_EQ(Results(output_).summary["precision"], "int8");
  EXPECT_EQ(used({"--method", "mbym"}), any);
  const fs::path own = write("models/mbym-101.safetensors", model);
  EXPECT_EQ(used({"--method", "mbym"}), own);
}

// As cmake --install lays it out.
TEST_F(MaskedMethods, FindTheirModelBesideTheInstalledProgram) {
  const fs::path program = folder_ / "prefix/bin/fmbym";
  fs::create_directories(program.parent_path());
  fs::copy_file(FMBYM_PROGRAM, program);
  const fs::path model = write("prefix/share/fmbym/models/f-mbym-101.safetensors", random_model(1, 101));
  expect_done(odometry({"--resolution", "101"}, {.program = program}));
  EXPECT_EQ(Results(output_).config["model_sha256"], sha256_of_file(model));
}

TEST_F(MaskedMethods, ADamagedModelIsNotPassedOver) {
  write("models/f-mbym-101.safetensors", random_model(1, 101));
  write_file(folder_ / "models/f-mbym-101-default.safetensors", "damaged");
  expect_failure(odometry({"--resolution", "101"}, {.environment = {{"FMBYM_MODELS", folder_ / "models"}}}),
                 kFailed, {"f-mbym-101-default.safetensors", "; "});
}

TEST_F(MaskedMethods, MatchAPairAndDrawTheMasks) {
  const fs::path picture = folder_ / "match.png";
  const Outcome outcome =
      run({"match", sequence_.file(Drive::time_us(0)), sequence_.file(Drive::time_us(1)), "--method",
           "f-mbym", "--resolution", "127", "--model", model_, "--json", "--picture", picture});
  expect_done(outcome);
  const Json found = outcome.json();
  EXPECT_EQ(found["method"], "f-mbym");
  EXPECT_EQ(found["precision"], "fp32");
  EXPECT_EQ(found["model_sha256"], sha256_of_file(model_));
  EXPECT_EQ(found["reliable"], true);
  EXPECT_GT(found["timing_ms"]["mask"], 0);
  const std::string png = read_file(picture);
  EXPECT_EQ(png.substr(16, 8), std::string("\0\0\x05\xdc\0\0\x04\x6a", 8));  // 1500 by 1130, with the masks
}

TEST_F(MaskedMethods, AreNotForEveryCommand) {
  expect_failure(run({"calibrate", sequence_.folder(), "--method", "f-mbym", "--output", output_}), kFailed,
                 {"--method f-mbym", "without masks", "choose f-raw"});
}

}  // namespace
}  // namespace fmbym::testing
