// The files that a run of odometry leaves, as the other tools of a user would read them.
#pragma once

#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "cli/expectations.hpp"
#include "fmbym/evaluation/trajectory.hpp"
#include "support/expect_near.hpp"

namespace fmbym::testing {

using CsvRow = std::map<std::string, std::string>;  // by the column's name

inline std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  return fields;
}

inline std::vector<CsvRow> read_csv(const std::filesystem::path& file) {
  std::istringstream in(read_file(file));
  std::string line;
  std::getline(in, line);
  const auto names = fields_of(line);
  std::vector<CsvRow> rows;
  while (std::getline(in, line)) {
    const auto fields = fields_of(line);
    CsvRow row;
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = fields.at(i);
    rows.push_back(row);
  }
  return rows;
}

inline double number(const CsvRow& row, const std::string& column) {
  return std::stod(row.at(column));
}

struct Results {
  Trajectory tum, kitti;
  std::vector<CsvRow> increments;
  Json config, summary;

  explicit Results(const std::filesystem::path& folder)
      : tum(read_trajectory(folder / "trajectory_tum.txt").trajectory),
        kitti(read_trajectory(folder / "trajectory_kitti.txt").trajectory),
        increments(read_csv(folder / "increments.csv")),
        config(read_json(folder / "config.json")),
        summary(read_json(folder / "summary.json")) {}

  SE2 pose(std::size_t i) const { return to_planar(tum.T_world.at(i)); }
  std::vector<std::int64_t> times_us() const {
    std::vector<std::int64_t> times;
    for (const std::int64_t ns : tum.time_ns) times.push_back(ns / 1000);
    return times;
  }
};

}  // namespace fmbym::testing
