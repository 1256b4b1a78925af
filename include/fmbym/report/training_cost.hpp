// A picture of what training costs: time a pair and memory against the batch size, as the paper compares its
// methods.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fmbym {

struct TrainingCost {
  struct Point {
    int batch = 0;
    double pair_ms = 0;
    double memory_mb = 0;
  };
  struct Series {
    std::string name;
    std::vector<Point> points;  // in order of the batch
  };

  std::string title;
  std::vector<Series> series;  // two at most
  double budget_mb = 0;
};

// Whole or not at all. Throws Error naming the file when it can't be written.
void write_training_cost(const std::filesystem::path& png, const TrainingCost& cost);

}  // namespace fmbym
