#include "fmbym/report/training_cost.hpp"

#include <fmt/format.h>

#include <array>

#include "fmbym/core/file.hpp"
#include "report/curve_panel.hpp"
#include "report/text.hpp"

namespace fmbym {
namespace report {
namespace {

constexpr int kWidth = 1160, kHeight = 560;
constexpr double kTop = 110, kPanelWidth = 470, kPanelHeight = 370;
constexpr Rectangle kTime{80, kTop, kPanelWidth, kPanelHeight};
constexpr Rectangle kMemory{650, kTop, kPanelWidth, kPanelHeight};
constexpr std::array kColours = {kAzure, kOrange};

CurvePanel panel_of(const TrainingCost& cost, double TrainingCost::Point::*value, double unit,
                    const std::string& heading, const std::string& label) {
  CurvePanel panel{heading, "pairs a step", label, {}};
  panel.doubling = true;
  for (std::size_t i = 0; i < cost.series.size() && i < kColours.size(); ++i) {
    Curve curve{cost.series[i].name, kColours[i], {}};
    for (const TrainingCost::Point& point : cost.series[i].points)
      curve.points.push_back({double(point.batch), point.*value / unit});
    panel.curves.push_back(curve);
  }
  return panel;
}

Canvas draw(const TrainingCost& cost) {
  constexpr double mb_a_gb = 1000;
  Canvas canvas(kWidth, kHeight);
  canvas.text({kTime.left - 50, 42}, cost.title, {.size = 20, .bold = true});
  draw_curve_panel(canvas, kTime,
                   panel_of(cost, &TrainingCost::Point::pair_ms, 1, "Time", "time a pair [ms]"));
  CurvePanel memory = panel_of(cost, &TrainingCost::Point::memory_mb, mb_a_gb, "Memory", "peak memory [GB]");
  memory.limit = {cost.budget_mb / mb_a_gb, fmt::format("budget {} GB", number(cost.budget_mb / mb_a_gb, 1))};
  draw_curve_panel(canvas, kMemory, memory);
  return canvas;
}

}  // namespace
}  // namespace report

void write_training_cost(const std::filesystem::path& png, const TrainingCost& cost) {
  write_file(png, report::draw(cost).png());
}

}  // namespace fmbym
