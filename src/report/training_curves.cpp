#include "fmbym/report/training_curves.hpp"

#include <fmt/format.h>

#include "fmbym/core/file.hpp"
#include "report/curve_panel.hpp"
#include "report/text.hpp"

namespace fmbym {
namespace report {
namespace {

constexpr int kWidth = 1500, kHeight = 520;
constexpr double kTop = 110, kPanelWidth = 400, kPanelHeight = 330;
constexpr Rectangle kLoss{80, kTop, kPanelWidth, kPanelHeight};
constexpr Rectangle kTranslation{575, kTop, kPanelWidth, kPanelHeight};
constexpr Rectangle kRotation{1070, kTop, kPanelWidth, kPanelHeight};

using Epoch = TrainingCurves::Epoch;
using Member = std::optional<double> Epoch::*;

const Epoch* best_of(const TrainingCurves& curves) {
  const Epoch* best = nullptr;
  for (const Epoch& epoch : curves.epochs)
    if (epoch.best) best = &epoch;
  return best;
}

// A curve for each stage that there was.
CurvePanel loss_panel(const TrainingCurves& curves) {
  Curve head_start{"head start", kOrange, {}}, poses{"poses", kAzure, {}};
  for (const Epoch& epoch : curves.epochs)
    (epoch.head_start ? head_start : poses).points.push_back({double(epoch.epoch), epoch.loss});
  CurvePanel panel{"Loss", "epoch", "mean loss of an epoch", {}};
  for (const Curve& curve : {head_start, poses})
    if (!curve.points.empty()) panel.curves.push_back(curve);
  return panel;
}

CurvePanel validation_panel(const TrainingCurves& curves, Member error, const std::string& heading,
                            const std::string& unit) {
  CurvePanel panel{heading, "epoch", fmt::format("KITTI error [{}]", unit), {{"", kAzure, {}}}};
  for (const Epoch& epoch : curves.epochs)
    if (epoch.*error) panel.curves.front().points.push_back({double(epoch.epoch), *(epoch.*error)});
  if (const Epoch* best = best_of(curves); best && best->*error)
    panel.mark = {{double(best->epoch), *(best->*error)},
                  fmt::format("epoch {}: {} {}", best->epoch, number(*(best->*error), 2), unit)};
  return panel;
}

Canvas draw(const TrainingCurves& curves) {
  Canvas canvas(kWidth, kHeight);
  canvas.text({kLoss.left - 50, 42}, curves.title, {.size = 20, .bold = true});
  draw_curve_panel(canvas, kLoss, loss_panel(curves));
  draw_curve_panel(canvas, kTranslation,
                   validation_panel(curves, &Epoch::translation_percent, "Translation, validation", "%"));
  draw_curve_panel(canvas, kRotation,
                   validation_panel(curves, &Epoch::rotation_deg_per_km, "Rotation, validation", "°/km"));
  return canvas;
}

}  // namespace
}  // namespace report

void write_training_curves(const std::filesystem::path& png, const TrainingCurves& curves) {
  write_file(png, report::draw(curves).png());
}

}  // namespace fmbym
