#include "fmbym/odometry/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fmbym/core/error.hpp"

namespace fmbym {
namespace {

std::string error_of(std::string_view assignment, Preset preset = Preset::standard) {
  OdometryConfig config = make_config(Method::f_raw, preset, 255);
  try {
    apply_setting(config, assignment);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Settings, OfEveryKindCanBeSet) {
  OdometryConfig config = make_config(Method::f_raw, Preset::standard, 255);
  apply_setting(config, "map.fade=0.25");
  apply_setting(config, "mask.strongest=7");
  apply_setting(config, "compensate=false");
  apply_setting(config, "fourier.radial=mean");
  apply_setting(config, "fourier.peak=soft_argmax");
  EXPECT_EQ(config.map.fade, 0.25);
  EXPECT_EQ(config.plain_mask.strongest, 7);
  EXPECT_FALSE(config.compensate);
  EXPECT_EQ(config.fourier.radial, RadialPolicy::mean);
  EXPECT_EQ(config.fourier.peak, PeakPolicy::soft_argmax);
}

TEST(Settings, HaveNamesOfTheirOwn) {
  for (const Method method : {Method::raw, Method::f_raw, Method::mbym, Method::f_mbym})
    for (const Preset preset : {Preset::paper, Preset::standard}) {
      OdometryConfig config = make_config(method, preset, 255);
      std::set<std::string> names;
      for (const Setting& setting : settings_of(config)) EXPECT_TRUE(names.insert(setting.name).second);
      EXPECT_EQ(names.contains("map.fade"), preset == Preset::standard);
      EXPECT_EQ(names.contains("mask_again_pixels"), preset == Preset::standard && uses_masks(method));
      EXPECT_EQ(names.contains("mind_sightings"), preset == Preset::paper);
      EXPECT_EQ(names.contains("mask_both_ways"), preset == Preset::paper && uses_masks(method));
      EXPECT_EQ(names.contains("fourier.angles"), is_decoupled(method));
      EXPECT_EQ(names.contains("exhaustive.yaw_step_rad"), !is_decoupled(method));
    }
}

TEST(Settings, SayWhatIsWrongAndWhatThereIs) {
  EXPECT_EQ(error_of("map.fade"), "--set map.fade: NAME=VALUE is needed, such as map.fade=0.8");
  EXPECT_EQ(error_of("map.fade=much"), "--set map.fade=much: a number is needed");
  EXPECT_EQ(error_of("map.fade=0.5x"), "--set map.fade=0.5x: a number is needed");
  EXPECT_EQ(error_of("mask.strongest=1.5"), "--set mask.strongest=1.5: a whole number is needed");
  EXPECT_EQ(error_of("refine=perhaps"), "--set refine=perhaps: choose one of true, false");
  EXPECT_NE(error_of("map.fad=1").find("no such setting"), std::string::npos);
  EXPECT_NE(error_of("map.fad=1").find("map.fade"), std::string::npos);
  EXPECT_NE(error_of("map.fade=0.5", Preset::paper).find("in the paper preset"), std::string::npos);
}

}  // namespace
}  // namespace fmbym
