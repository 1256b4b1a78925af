#include "fmbym/odometry/config.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "fmbym/core/error.hpp"
#include "fmbym/odometry/odometry.hpp"

namespace fmbym {
namespace {

constexpr Method kMethods[] = {Method::raw, Method::f_raw, Method::mbym, Method::f_mbym};

// With a model of that resolution where the method has masks.
OdometryConfig complete(Method method, Preset preset, int resolution) {
  OdometryConfig config = make_config(method, preset, resolution);
  if (uses_masks(method)) config.model = std::make_shared<MaskModel>(random_model(1, resolution));
  return config;
}

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(OdometryConfig, NamesAreReadBack) {
  for (const Method method : kMethods) EXPECT_EQ(parse_method(to_string(method)), method);
  for (const Preset preset : {Preset::paper, Preset::standard})
    EXPECT_EQ(parse_preset(to_string(preset)), preset);
  EXPECT_EQ(parse_method("f-raw"), Method::f_raw);
  EXPECT_EQ(parse_method("f-mbym"), Method::f_mbym);
  EXPECT_EQ(parse_preset("default"), Preset::standard);
}

TEST(OdometryConfig, UnknownNamesAreAnsweredWithTheChoices) {
  const std::string method = message_of([] { parse_method("magic"); });
  EXPECT_NE(method.find("magic"), std::string::npos);
  EXPECT_NE(method.find("f-raw"), std::string::npos);
  const std::string preset = message_of([] { parse_preset("best"); });
  EXPECT_NE(preset.find("best"), std::string::npos);
  EXPECT_NE(preset.find("paper"), std::string::npos);
}

TEST(OdometryConfig, EveryPresetIsValid) {
  for (const Method method : kMethods)
    for (const Preset preset : {Preset::paper, Preset::standard})
      for (const int resolution : {127, 255, 511})
        EXPECT_NO_THROW(complete(method, preset, resolution).validate());
}

// See make_config.
TEST(OdometryConfig, WithMasksTheSearchLooksCloser) {
  EXPECT_EQ(make_config(Method::f_raw, Preset::paper, 255).fourier.low_cut, 0.075);
  EXPECT_EQ(make_config(Method::f_mbym, Preset::paper, 255).fourier.low_cut, 0.3);
  EXPECT_EQ(make_config(Method::f_raw, Preset::paper, 255).fourier.oversampling, 1);
  EXPECT_EQ(make_config(Method::f_mbym, Preset::paper, 255).fourier.oversampling, 2);
  EXPECT_EQ(make_config(Method::f_raw, Preset::paper, 255).fourier.lags_per_pixel, 1);
  EXPECT_EQ(make_config(Method::f_mbym, Preset::paper, 255).fourier.lags_per_pixel, 2);
  EXPECT_EQ(make_config(Method::f_raw, Preset::paper, 255).fourier.second_look, 0);
  EXPECT_NEAR(make_config(Method::f_mbym, Preset::paper, 255).fourier.second_look, 0.0349, 1e-4);
  EXPECT_EQ(make_config(Method::f_mbym, Preset::standard, 255).fourier.second_look, 0);
  EXPECT_NEAR(make_config(Method::f_raw, Preset::paper, 255).fourier.max_yaw, 1.5708, 1e-4);
  EXPECT_NEAR(make_config(Method::f_mbym, Preset::paper, 255).fourier.max_yaw, 0.5236, 1e-4);
}

TEST(OdometryConfig, OnlyTheMaskedScansOfThePaperMindWhenLandmarksAreSeen) {
  for (const Method method : kMethods) {
    EXPECT_EQ(make_config(method, Preset::paper, 255).mind_sightings, uses_masks(method));
    EXPECT_FALSE(make_config(method, Preset::standard, 255).mind_sightings);
  }
}

TEST(OdometryConfig, OnlyTheMasksOfTheDecoupledSearchOfThePaperAreMadeBothWays) {
  for (const Method method : kMethods) {
    EXPECT_EQ(make_config(method, Preset::paper, 255).mask_both_ways, method == Method::f_mbym);
    EXPECT_FALSE(make_config(method, Preset::standard, 255).mask_both_ways);
  }
}

TEST(OdometryConfig, ThePaperIsAlgorithmOne) {
  const OdometryConfig config = make_config(Method::f_raw, Preset::paper, 255);
  EXPECT_EQ(config.fourier.angles, 733);
  EXPECT_EQ(config.fourier.radial, RadialPolicy::mean);
  EXPECT_EQ(config.fourier.peak, PeakPolicy::soft_argmax);
  EXPECT_EQ(config.fourier.yaw_temperature, 2);
  EXPECT_EQ(config.fourier.translation_temperature, 1);
  EXPECT_EQ(config.imaging.metres_per_pixel, 0.4);
}

TEST(OdometryConfig, RefusesWhatMakesNoSense) {
  EXPECT_THROW(make_config(Method::raw, Preset::paper, 256), Error);
  EXPECT_THROW(make_config(Method::raw, Preset::paper, 0), Error);
  for (const int threads : {0, -1, 1000}) {
    OdometryConfig config;
    config.threads = threads;
    EXPECT_NE(message_of([&] { config.validate(); }).find("threads"), std::string::npos);
    EXPECT_THROW(Odometry{config}, Error);
  }
  OdometryConfig config;
  config.imaging.size = 100;
  EXPECT_THROW(Odometry{config}, Error);
  config = {};
  config.fourier.angles = 0;
  EXPECT_THROW(Odometry{config}, Error);
  for (const double pixels : {-1.0, std::nan("")}) {
    config = {};
    config.mask_again = pixels;
    EXPECT_NE(message_of([&] { config.validate(); }).find("mask_again_pixels"), std::string::npos);
  }
}

std::string complaint(const OdometryConfig& config) {
  return message_of([&] { config.validate(); });
}

void expect_parts(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in " << text;
}

TEST(OdometryConfig, AMethodWithMasksNeedsAModel) {
  expect_parts(complaint(make_config(Method::f_mbym, Preset::paper, 127)),
               {"--method f-mbym", "found none", "f-raw"});
  expect_parts(complaint(make_config(Method::mbym, Preset::standard, 127)), {"--method mbym", "choose raw"});
  EXPECT_THROW(Odometry{make_config(Method::f_mbym, Preset::standard, 127)}, Error);
}

TEST(OdometryConfig, AModelBringsItsTemperatures) {
  MaskModel model = random_model(1, 127);
  OdometryConfig config = make_config(Method::f_mbym, Preset::paper, 127);
  const double before = config.fourier.yaw_temperature;
  set_model(config, std::make_shared<MaskModel>(model));
  EXPECT_EQ(config.fourier.yaw_temperature, before);
  model.info.yaw_temperature = 0.5;
  model.info.translation_temperature = 3;
  set_model(config, std::make_shared<MaskModel>(model));
  EXPECT_EQ(config.fourier.yaw_temperature, 0.5);
  EXPECT_EQ(config.fourier.translation_temperature, 3);
  EXPECT_EQ(config.exhaustive.temperature, 3);
}

TEST(OdometryConfig, AMethodWithoutMasksTakesNoModel) {
  OdometryConfig config = complete(Method::f_mbym, Preset::standard, 127);
  config.method = Method::f_raw;
  expect_parts(complaint(config), {"--method f-raw", "expected no mask model", "f-mbym"});
}

TEST(OdometryConfig, AModelIsForOneResolution) {
  OdometryConfig config = complete(Method::f_mbym, Preset::paper, 127);
  config.imaging = imaging_for_resolution(255);
  expect_parts(complaint(config), {"255 pixels of 0.4 m", "127 pixels of 0.8 m", "--any-resolution"});
  config.any_resolution = true;
  EXPECT_EQ(complaint(config), "");
}

TEST(OdometryConfig, AModelIsForOneSizeOfPixelsToAPerCent) {
  OdometryConfig config = complete(Method::f_mbym, Preset::paper, 127);
  config.imaging.metres_per_pixel = 0.806;
  EXPECT_EQ(complaint(config), "");
  config.imaging.metres_per_pixel = 0.82;
  expect_parts(complaint(config), {"127 pixels of 0.82 m", "127 pixels of 0.8 m", "--any-resolution"});
  config.any_resolution = true;
  EXPECT_EQ(complaint(config), "");
}

TEST(OdometryConfig, TheNetworkNeedsSomethingToHalve) {
  OdometryConfig config = complete(Method::mbym, Preset::paper, 127);
  config.imaging = imaging_for_resolution(63);
  config.any_resolution = true;
  expect_parts(complaint(config), {"--resolution 63", "at least 64", "choose a higher one"});
}

}  // namespace
}  // namespace fmbym
