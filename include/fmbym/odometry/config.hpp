// Everything that can be set about a run of odometry, with its defaults.
#pragma once

#include <string>
#include <string_view>

#include "fmbym/imaging/cartesian_imager.hpp"
#include "fmbym/matching/exhaustive.hpp"
#include "fmbym/matching/fourier.hpp"

namespace fmbym {

// Named as in the paper.
enum class Method {
  raw,    // exhaustive search, no masks
  f_raw,  // decoupled search, no masks
};

enum class Preset {
  paper,     // Algorithm 1 to the letter: what results are compared with
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
  FourierConfig fourier;        // for f_raw
  ExhaustiveConfig exhaustive;  // for raw
  int threads = 1;              // of the exhaustive search

  void validate() const;  // throws Error
};

OdometryConfig make_config(Method method, Preset preset, int resolution);

std::unique_ptr<Matcher> make_matcher(const OdometryConfig& config);

}  // namespace fmbym
