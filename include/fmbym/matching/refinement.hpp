// The last step of a match: rotation and translation together, from a start near the peak to the peak itself.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "fmbym/core/image.hpp"
#include "fmbym/core/se2.hpp"

namespace fmbym {

struct Refined {
  SE2 T_prev_curr;
  double correlation = 0;  // of the two images at that pose, 0 to about 1
  // How sharply it falls around the pose: minus its second derivatives by x, y [m] and yaw [rad].
  Covariance3 curvature{};
};

// Climbs the correlation c(T) = Σ current(p) · previous(T p) with Gauss-Newton steps. The previous image is
// smoothed a little and read by quadratic B-splines: between bilinear samples the correlation would be a
// string of straight lines, with its maxima in the middle of pixels.
class Refinement {
 public:
  Refinement(int size, double metres_per_pixel);

  // Both of the size given, the previous one first.
  void set_previous(const Image& previous);
  // It must outlive the climb. Pixels much weaker than the brightest are left out: masked images are quick.
  void set_current(const Image& current);

  double correlation(const SE2& T_prev_curr) const;
  Refined climb(const SE2& start) const;

 private:
  struct Point {
    float x, y;  // forward and right [pixel]
    float power;
  };
  using Vector = std::array<double, 3>;
  struct Slope {
    double value = 0;
    Vector gradient{};  // by x, y [pixel] and yaw [rad]
  };

  double smooth(const Image& previous);
  void collect_points();
  void take_gradients();
  Slope evaluate(const SE2& T_prev_curr) const;

  int size_;
  double metres_per_pixel_;
  const Image* current_ = nullptr;
  Image previous_;  // smoothed
  double previous_energy_ = 0;
  Eigen::VectorXf column_, place_, by_x_, by_y_, by_yaw_;  // along a row of pixels
  std::vector<Point> points_;                              // of the current image
  std::array<Vector, 3> sharpness_{};  // second derivatives of the current image's autocorrelation
  double self_ = 0;                    // its value at no shift
  double energy_ = 0;                  // from sums to coefficients
};

}  // namespace fmbym
