#include "training/spline_correlation.hpp"

#include <algorithm>

#include "training/smoothing.hpp"

namespace fmbym::training {
namespace {

constexpr double kFaint = 0.05;  // of the brightest pixel: weaker ones are left out
constexpr int kMargin = 2;       // [pixel] around the image without points

// The rim is left blank.
torch::Tensor smoothed(const torch::Tensor& images) {
  return torch::constant_pad_nd(binomial_mean(images), {1, 1, 1, 1});
}

// The second derivative of a quadratic B-spline over three pixels is the same everywhere between them.
torch::Tensor spline_bend(const torch::Tensor& pixels) {
  return pixels.select(-2, 0) - 2 * pixels.select(-2, 1) + pixels.select(-2, 2);
}

}  // namespace

// Where the points come to lie in the previous image.
struct SplineCorrelation::Neighbourhood {
  torch::Tensor x, y;                         // (batch, point): from the middle, over the rim
  torch::Tensor inside;                       // (batch, point): 0 outside of the image
  torch::Tensor cells;                        // (batch, 9·point): the pixels around them
  torch::Tensor row_weight, row_slope;        // (batch, 3, point)
  torch::Tensor column_weight, column_slope;  // likewise
};

// What is found there: pixels, summed along their rows with the spline's weights and slopes; and the points'
// share of the correlation's slope by row and column.
struct SplineCorrelation::Reading {
  Neighbourhood there;
  torch::Tensor power;                  // (batch, point)
  torch::Tensor pixels, along, across;  // (batch, 3, 3, point), (batch, 3, point), (batch, 3, point)
  torch::Tensor by_row, by_column;      // (batch, point)

  // A row falls with x and grows with yaw by y; a column grows with y, and with yaw by x.
  torch::Tensor gradient() const {
    return torch::stack({-by_row, by_column, there.y * by_row + there.x * by_column}, 1).sum(2);
  }
};

SplineCorrelation::SplineCorrelation(const torch::Tensor& current, const torch::Tensor& previous)
    : size_(current.size(-1)), rim_(rim(size_)), previous_(smoothed(previous).flatten(1)) {
  const torch::Tensor three = torch::arange(-1, 2, previous.options().dtype(torch::kLong));
  around_ = (size_ * three.unsqueeze(1) + three).view({9, 1});
  spline_ = torch::tensor({-0.5, 0.0, 0.5, 1.0, -2.0, 1.0, 0.125, 0.75, 0.125}, torch::kDouble)
                .to(previous.options())
                .view({3, 3, 1});
  collect_points(current);
}

void SplineCorrelation::collect_points(const torch::Tensor& current) {
  const std::int64_t side = size_ - 2 * kMargin, middle = size_ / 2 - kMargin;
  const torch::Tensor inner = current.narrow(1, kMargin, side).narrow(2, kMargin, side).flatten(1);
  const torch::Tensor seen = inner.detach() > kFaint * current.detach().flatten(1).amax(1, true);
  const torch::Tensor found = seen.nonzero(), counts = seen.sum(1);
  const torch::Tensor image = found.select(1, 0), place = found.select(1, 1);
  const torch::Tensor slot =
      torch::arange(found.size(0), counts.options()) - (counts.cumsum(0) - counts).index_select(0, image);
  const std::int64_t most = std::max<std::int64_t>(1, counts.max().item<std::int64_t>());
  const torch::Tensor places =
      torch::zeros({current.size(0), most}, counts.options()).index_put_({image, slot}, place);
  const torch::Tensor present = torch::arange(most, counts.options()) < counts.unsqueeze(1);
  x_ = (middle - places.div(side, "floor")).to(current.dtype());
  y_ = (places.remainder(side) - middle).to(current.dtype());
  power_ = inner.gather(1, places) * present;
}

SplineCorrelation::Neighbourhood SplineCorrelation::look(const torch::Tensor& pose) const {
  const torch::Tensor yaw = pose.narrow(1, 2, 1) / rim_, c = yaw.cos(), s = yaw.sin();
  const torch::Tensor x = c * x_ - s * y_, y = s * x_ + c * y_;
  const double middle = static_cast<double>(size_ / 2), last = static_cast<double>(size_ - 2);
  const torch::Tensor places =
      torch::stack({middle - pose.narrow(1, 0, 1) - x, middle + pose.narrow(1, 1, 1) + y}, 1);
  const torch::Tensor nearest = places.round().clamp_(1, last);
  const torch::Tensor cells = nearest.select(1, 0) * size_ + nearest.select(1, 1);
  const torch::Tensor offsets = (places - nearest).unsqueeze(2);  // (batch, row or column, 1, point)
  const torch::Tensor slopes = torch::addcmul(spline_[0], spline_[1], offsets);
  const torch::Tensor weights =
      torch::addcmul(spline_[2], offsets, torch::addcmul(spline_[0], spline_[1], offsets, 0.5));
  Neighbourhood there;
  there.x = x / rim_;
  there.y = y / rim_;
  there.inside = (offsets.abs().amax(1).squeeze(1)) <= 0.5;
  there.cells = (cells.to(torch::kLong).unsqueeze(1) + around_).flatten(1);
  there.row_weight = weights.select(1, 0);
  there.row_slope = slopes.select(1, 0);
  there.column_weight = weights.select(1, 1);
  there.column_slope = slopes.select(1, 1);
  return there;
}

SplineCorrelation::Reading SplineCorrelation::read(const torch::Tensor& pose) const {
  Reading reading;
  const Neighbourhood& there = reading.there = look(pose);
  reading.power = power_ * there.inside;
  reading.pixels = previous_.gather(1, there.cells).view({pose.size(0), 3, 3, x_.size(1)});
  reading.along = (reading.pixels * there.column_weight.unsqueeze(1)).sum(2);
  reading.across = (reading.pixels * there.column_slope.unsqueeze(1)).sum(2);
  reading.by_row = reading.power * (there.row_slope * reading.along).sum(1);
  reading.by_column = reading.power * (there.row_weight * reading.across).sum(1);
  return reading;
}

torch::Tensor SplineCorrelation::gradient(const torch::Tensor& pose) const {
  return read(pose).gradient();
}

SplineCorrelation::Derivatives SplineCorrelation::derivatives(const torch::Tensor& pose) const {
  const Reading reading = read(pose);
  const Neighbourhood& there = reading.there;
  const torch::Tensor &x = there.x, &y = there.y, &power = reading.power;
  const torch::Tensor row_row = power * spline_bend(reading.along);
  const torch::Tensor row_column = power * (there.row_slope * reading.across).sum(1);
  const torch::Tensor column_column = power * (there.row_weight * spline_bend(reading.pixels)).sum(1);
  const torch::Tensor row_yaw = row_row * y + row_column * x, column_yaw = row_column * y + column_column * x;
  const torch::Tensor yaw_yaw =
      row_yaw * y + column_yaw * x + (reading.by_row * x - reading.by_column * y) / rim_;
  const torch::Tensor hessian = torch::stack(
      {row_row, -row_column, -row_yaw, -row_column, column_column, column_yaw, -row_yaw, column_yaw, yaw_yaw},
      1);
  return {(power * (there.row_weight * reading.along).sum(1)).sum(1, true), reading.gradient(),
          hessian.sum(2).view({-1, 3, 3})};
}

}  // namespace fmbym::training
