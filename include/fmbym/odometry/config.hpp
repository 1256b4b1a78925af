// Everything that can be set about a run of odometry, with its defaults.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "fmbym/imaging/cartesian_imager.hpp"
#include "fmbym/imaging/plain_mask.hpp"
#include "fmbym/masking/mask_model.hpp"
#include "fmbym/matching/exhaustive.hpp"
#include "fmbym/matching/fourier.hpp"
#include "fmbym/odometry/local_map.hpp"
#include "fmbym/odometry/motion_model.hpp"

namespace fmbym {

// Named as in the paper.
enum class Method {
  raw,     // exhaustive search, no network
  f_raw,   // decoupled search, no network
  mbym,    // exhaustive search of masked scans
  f_mbym,  // decoupled search of masked scans
};

bool uses_masks(Method method);
bool is_decoupled(Method method);  // the rotation first, then the translation

enum class Preset {
  paper,     // Algorithm 1, scan to scan: what results are compared with
  standard,  // the best we have; "default" to the user
};

std::string to_string(Method method);
std::string to_string(Preset preset);
Method parse_method(std::string_view name);  // throws Error naming the choices
Preset parse_preset(std::string_view name);  // likewise

struct OdometryConfig {
  Method method = Method::f_raw;
  Preset preset = Preset::standard;
  ImagingConfig imaging;
  FourierConfig fourier;        // for the decoupled methods
  ExhaustiveConfig exhaustive;  // for the others
  int threads = 1;              // of the exhaustive search and of the mask network

  // Of the methods with masks, and only of them; it also says in which precision the network computes.
  std::shared_ptr<const MaskModel> model;
  bool any_resolution = false;  // take a model that was trained with other images than these

  // Of the paper's preset, whose scans are as measured: they show the motion between two sightings of a
  // landmark, which is not that of a turn. Otherwise the one is taken for the other, as the paper does.
  bool mind_sightings = false;

  // Of the paper's preset: the network sees each pair in both orders, and what it says is averaged, so that
  // from here to there is as far as back.
  bool mask_both_ways = false;

  // Of the standard preset; the paper's has none of these.
  bool compensate = true;       // the sensor's motion during a turn
  bool refine = true;           // rotation and translation together, after the search
  bool mask = true;             // the scans, by the plain mask
  double search_pixel = 0.8;    // the search before the refinement is content with pixels of this size [m]
  double search_distance = 6;   // around the prediction [m]; farther only to recover
  double search_angle = 0.105;  // likewise [rad]
  double mask_again = 0.5;      // by the network, if found farther than this from where expected [pixels]
  PlainMaskConfig plain_mask;
  MapConfig map;
  MotionConfig motion;

  void validate() const;  // throws Error
};

// Without a model: a method with masks needs one, by set_model.
OdometryConfig make_config(Method method, Preset preset, int resolution);

// Takes the model, and the temperatures that were learnt with it.
void set_model(OdometryConfig& config, std::shared_ptr<const MaskModel> model);

// The search of the method, as far as it is configured to go.
std::unique_ptr<Matcher> make_matcher(const OdometryConfig& config);
// The same around a prediction.
OdometryConfig tracking_config(OdometryConfig config);
std::unique_ptr<Matcher> make_tracking_matcher(const OdometryConfig& config);

}  // namespace fmbym
