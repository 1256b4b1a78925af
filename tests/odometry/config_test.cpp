#include "fmbym/odometry/config.hpp"

#include <gtest/gtest.h>

#include <string>

#include "fmbym/core/error.hpp"
#include "fmbym/odometry/odometry.hpp"

namespace fmbym {
namespace {

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(OdometryConfig, NamesAreReadBack) {
  for (const Method method : {Method::raw, Method::f_raw}) EXPECT_EQ(parse_method(to_string(method)), method);
  for (const Preset preset : {Preset::paper, Preset::standard})
    EXPECT_EQ(parse_preset(to_string(preset)), preset);
  EXPECT_EQ(parse_method("f-raw"), Method::f_raw);
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
  for (const Method method : {Method::raw, Method::f_raw})
    for (const Preset preset : {Preset::paper, Preset::standard})
      for (const int resolution : {127, 255, 511})
        EXPECT_NO_THROW(make_config(method, preset, resolution).validate());
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
}

}  // namespace
}  // namespace fmbym
