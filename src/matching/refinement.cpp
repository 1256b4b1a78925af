#include "fmbym/matching/refinement.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "fmbym/core/error.hpp"

namespace fmbym {
namespace {

constexpr float kFaint = 0.05f;  // of the brightest pixel: weaker ones are left out
constexpr int kMostSteps = 20;
constexpr double kSmallStep = 2e-3;  // [pixel], also at the rim of the image
constexpr double kLargestStep = 3;   // [pixel], likewise

struct Sample {
  float value, by_row, by_column;
};

// Quadratic B-spline over the 3×3 pixels around a point within the image, with its derivatives.
Sample spline(const float* pixels, int n, float row, float column) {
  const int r = static_cast<int>(row + 0.5f), c = static_cast<int>(column + 0.5f);
  const float v = row - static_cast<float>(r), u = column - static_cast<float>(c);
  const float row_weight[3] = {0.5f * (0.5f - v) * (0.5f - v), 0.75f - v * v, 0.5f * (0.5f + v) * (0.5f + v)};
  const float row_slope[3] = {v - 0.5f, -2 * v, v + 0.5f};
  const float weight[3] = {0.5f * (0.5f - u) * (0.5f - u), 0.75f - u * u, 0.5f * (0.5f + u) * (0.5f + u)};
  const float slope[3] = {u - 0.5f, -2 * u, u + 0.5f};
  Sample sample{0, 0, 0};
  const float* p = pixels + std::ptrdiff_t(r - 1) * n + (c - 1);
  for (int i = 0; i < 3; ++i, p += n) {
    const float along = p[0] * weight[0] + p[1] * weight[1] + p[2] * weight[2];
    const float across = p[0] * slope[0] + p[1] * slope[1] + p[2] * slope[2];
    sample.value += row_weight[i] * along;
    sample.by_row += row_slope[i] * along;
    sample.by_column += row_weight[i] * across;
  }
  return sample;
}

// The image with itself, read as the other one is: smoothed, and by splines.
double self_correlation(const Image& image, int row, int column) {
  constexpr float weight[5] = {1.f / 32, 8.f / 32, 14.f / 32, 8.f / 32, 1.f / 32};
  double sum = 0;
  for (int i = -2; i <= 2; ++i) {
    const float* p = image.row(row + i) + column;
    sum += weight[i + 2] * (weight[0] * (p[-2] + p[2]) + weight[1] * (p[-1] + p[1]) + weight[2] * p[0]);
  }
  return image.at(row, column) * sum;
}

}  // namespace

Refinement::Refinement(int size, double metres_per_pixel)
    : size_(size),
      metres_per_pixel_(metres_per_pixel),
      previous_(size, metres_per_pixel),
      column_(size),
      place_(Eigen::VectorXf::LinSpaced(size - 2, static_cast<float>(1 - size / 2),
                                        static_cast<float>(size - 2 - size / 2))),
      by_x_(size - 2),
      by_y_(size - 2),
      by_yaw_(size - 2) {
  points_.reserve(std::size_t(size) * std::size_t(size));
}

void Refinement::set_previous(const Image& previous) {
  previous_energy_ = smooth(previous);
}

void Refinement::set_current(const Image& current) {
  current_ = &current;
  collect_points();
  take_gradients();
  double power = 0;
  for (const Point& p : points_) power += double(p.power) * p.power;
  energy_ = std::sqrt(power * previous_energy_);
}

// Binomial weights 1 2 1 both ways; the rim is left blank. Returns the energy.
double Refinement::smooth(const Image& image) {
  using Row = Eigen::Map<const Eigen::VectorXf>;
  const int n = size_;
  double energy = 0;
  for (int r = 1; r + 1 < n; ++r) {
    const Row above(image.row(r - 1), n), here(image.row(r), n), below(image.row(r + 1), n);
    column_ = (above + 2 * here + below) / 16;
    Eigen::Map<Eigen::VectorXf> out(previous_.row(r) + 1, n - 2);
    out = column_.head(n - 2) + 2 * column_.segment(1, n - 2) + column_.tail(n - 2);
    energy += out.squaredNorm();
  }
  return energy;
}

void Refinement::collect_points() {
  const int n = size_, middle = n / 2;
  const float brightest = *std::max_element(current_->pixels().begin(), current_->pixels().end());
  const float faintest = kFaint * brightest;
  points_.clear();
  self_ = 0;
  for (int r = 2; r + 2 < n; ++r) {
    const float* here = current_->row(r);
    for (int c = 2; c + 2 < n; ++c) {
      if (!(here[c] > faintest)) continue;
      points_.push_back({static_cast<float>(middle - r), static_cast<float>(c - middle), here[c]});
      self_ += self_correlation(*current_, r, c);
    }
  }
}

// Sobel's gradients: of the image smoothed, as the other one is. By yaw it changes as x·∂y - y·∂x.
void Refinement::take_gradients() {
  using Row = Eigen::Map<const Eigen::VectorXf>;
  const int n = size_, inner = n - 2;
  double xx = 0, xy = 0, yy = 0, xw = 0, yw = 0, ww = 0;
  for (int r = 1; r + 1 < n; ++r) {
    const Row above(current_->row(r - 1), n), here(current_->row(r), n), below(current_->row(r + 1), n);
    column_ = above - below;
    by_x_ = column_.head(inner) + 2 * column_.segment(1, inner) + column_.tail(inner);
    column_ = above + 2 * here + below;
    by_y_ = column_.tail(inner) - column_.head(inner);
    by_yaw_ = static_cast<float>(n / 2 - r) * by_y_ - place_.cwiseProduct(by_x_);
    xx += by_x_.dot(by_x_);
    xy += by_x_.dot(by_y_);
    yy += by_y_.dot(by_y_);
    xw += by_x_.dot(by_yaw_);
    yw += by_y_.dot(by_yaw_);
    ww += by_yaw_.dot(by_yaw_);
  }
  constexpr double scale = 1.0 / 64;  // Sobel's weights add up to 8
  sharpness_ = {Vector{xx * scale, xy * scale, xw * scale}, Vector{xy * scale, yy * scale, yw * scale},
                Vector{xw * scale, yw * scale, ww * scale}};
}

Refinement::Slope Refinement::evaluate(const SE2& T) const {
  const float c = static_cast<float>(std::cos(T.yaw)), s = static_cast<float>(std::sin(T.yaw));
  const float x0 = static_cast<float>(T.x / metres_per_pixel_),
              y0 = static_cast<float>(T.y / metres_per_pixel_);
  const float middle = static_cast<float>(size_ / 2), limit = static_cast<float>(size_) - 1.5f;
  const float* pixels = previous_.pixels().data();
  double value = 0, by_x = 0, by_y = 0, by_yaw = 0;
  for (const Point& p : points_) {
    const float x = c * p.x - s * p.y, y = s * p.x + c * p.y;
    const float row = middle - (x0 + x), column = middle + (y0 + y);
    if (!(row >= 0.5f && row < limit && column >= 0.5f && column < limit)) continue;
    const Sample sample = spline(pixels, size_, row, column);
    value += p.power * sample.value;
    by_x -= p.power * sample.by_row;
    by_y += p.power * sample.by_column;
    by_yaw += p.power * (x * sample.by_column + y * sample.by_row);
  }
  return {value, {by_x, by_y, by_yaw}};
}

double Refinement::correlation(const SE2& T_prev_curr) const {
  return energy_ > 0 ? evaluate(T_prev_curr).value / energy_ : 0;
}

// Levenberg's damping grows while a step does not climb.
Refined Refinement::climb(const SE2& start) const {
  Refined result;
  result.T_prev_curr = start;
  if (!(energy_ > 0 && self_ > 0)) return result;
  const double rim = size_ / 2.0;  // [pixel], what a radian moves there
  const Eigen::DiagonalMatrix<double, 3> units(1, 1, 1 / rim);
  Eigen::Matrix3d sharpness;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) sharpness(i, k) = sharpness_[std::size_t(i)][std::size_t(k)];
  sharpness = units * sharpness * units;

  SE2 pose = start;
  Slope slope = evaluate(pose);
  double damping = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    const double likeness = std::max(slope.value, 0.1 * energy_) / self_;
    Eigen::Matrix3d model = likeness * sharpness;
    model.diagonal() *= 1 + damping;
    Eigen::Vector3d move =
        model.ldlt().solve(units * Eigen::Map<const Eigen::Vector3d>(slope.gradient.data()));
    const double length = move.cwiseAbs().maxCoeff();
    if (!(length > kSmallStep)) break;
    if (length > kLargestStep) move *= kLargestStep / length;
    const SE2 next{pose.x + move[0] * metres_per_pixel_, pose.y + move[1] * metres_per_pixel_,
                   wrap_angle(pose.yaw + move[2] / rim)};
    const Slope found = evaluate(next);
    if (found.value > slope.value) {
      pose = next;
      slope = found;
      damping /= 4;
    } else {
      damping = std::max(1.0, 4 * damping);
    }
  }
  result.T_prev_curr = pose;
  result.correlation = slope.value / energy_;
  const double per_metre[3] = {1 / metres_per_pixel_, 1 / metres_per_pixel_, 1};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      result.curvature[i][k] = result.correlation / self_ * sharpness_[i][k] * per_metre[i] * per_metre[k];
  return result;
}

}  // namespace fmbym
