// A value found by a fit, with its standard error.
#pragma once

namespace fmbym {

struct Estimate {
  double value = 0;
  double standard_error = 0;
};

}  // namespace fmbym
