#include <algorithm>
#include <cmath>

#include "fmbym/report/html_report.hpp"
#include "report/brightness.hpp"
#include "report/grey_png.hpp"
#include "report/panels.hpp"
#include "report/translation_surface.hpp"

namespace fmbym {
namespace report {
namespace {

constexpr int kLargestSide = 300;  // [pixel]; larger images are averaged down

double mean_of_cell(const Image& image, int row, int column, int factor) {
  double sum = 0;
  int count = 0;
  for (int r = row * factor; r < std::min(image.size(), (row + 1) * factor); ++r)
    for (int c = column * factor; c < std::min(image.size(), (column + 1) * factor); ++c, ++count)
      sum += image.at(r, c);
  return sum / count;
}

template <class Brightness>
std::string picture_of(const Image& image, const Brightness& brightness) {
  const int factor = (image.size() + kLargestSide - 1) / kLargestSide;
  const int side = (image.size() + factor - 1) / factor;
  return grey_png(side,
                  [&](int row, int column) { return brightness(mean_of_cell(image, row, column, factor)); });
}

std::string picture_of_scan(const Image& image) {
  return image.size() == 0 ? "" : picture_of(image, Brightness(image));
}

std::string picture_of_mask(const Image* mask) {
  return mask && mask->size() > 0 ? picture_of(*mask, [](double keep) { return keep; }) : "";
}

ReportFrame::Surface picture_of_surface(const MatchEvidence& evidence) {
  if (!has_surface(evidence)) return {};
  const TranslationSurface middle = middle_of(evidence);
  const auto score = [&](int row, int column) {
    const double value = middle.scores[static_cast<std::size_t>(row * middle.side() + column)];
    return (value - middle.low) / (middle.high - middle.low);
  };
  return {grey_png(middle.side(), score), 0.5 * middle.side() * evidence.metres_per_cell, middle.low,
          middle.high, evidence.shift};
}

}  // namespace
}  // namespace report

ReportFrame make_report_frame(std::size_t scan, const MatchPicture& picture) {
  ReportFrame frame;
  frame.scan = scan;
  frame.reach_m = 0.5 * picture.current.size() * picture.current.metres_per_pixel();
  frame.current = report::picture_of_scan(picture.current);
  frame.reference = report::picture_of_scan(picture.previous);
  frame.current_mask = report::picture_of_mask(picture.current_mask);
  frame.reference_mask = report::picture_of_mask(picture.previous_mask);
  frame.surface = report::picture_of_surface(picture.evidence);
  if (picture.evidence.yaw.size() == picture.evidence.yaw_score.size() &&
      report::tells_apart(picture.evidence.yaw_score)) {
    frame.yaw = picture.evidence.yaw;
    frame.yaw_score = picture.evidence.yaw_score;
  }
  return frame;
}

std::vector<std::size_t> sample_scans(std::size_t scans, std::size_t count) {
  std::vector<std::size_t> samples;
  if (scans < 2) return samples;
  const std::size_t last = scans - 1, wanted = std::min(count, last);
  for (std::size_t i = 0; i < wanted; ++i)
    samples.push_back(wanted == 1 ? last : 1 + i * (last - 1) / (wanted - 1));
  return samples;
}

}  // namespace fmbym
