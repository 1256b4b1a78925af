#include "datasets/oxford_ground_truth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <system_error>
#include <unordered_map>

#include "core/in_quotes.hpp"
#include "datasets/text.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"

namespace fmbym::oxford {
namespace {

using Poses = std::unordered_map<std::int64_t, SE2>;  // by the scan's timestamp

constexpr std::array<std::string_view, 5> kColumns = {"x", "y", "yaw", "source_radar_timestamp",
                                                      "destination_radar_timestamp"};
constexpr double kFarthest = 1e6;  // between two scans [m]; any number of these adds up to something finite
using Columns = std::array<std::size_t, kColumns.size()>;  // where each of them is in a line

Columns find_columns(std::string_view header, const std::filesystem::path& csv) {
  const auto names = text::split(header, ',');
  Columns columns{};
  std::string missing;
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    const auto found = std::find(names.begin(), names.end(), kColumns[i]);
    if (found == names.end()) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", kColumns[i]);
    columns[i] = static_cast<std::size_t>(found - names.begin());
  }
  if (!missing.empty())
    throw Error(
        fmt::format("{}: expected columns named in the first line, found none for {}; restore the header",
                    csv.string(), missing));
  return columns;
}

// One line of the file, its fields reached by the place of their column in kColumns.
class Line {
 public:
  Line(std::string_view line, const Columns& columns, std::string where)
      : fields_(text::split(line, ',')), columns_(columns), where_(std::move(where)) {}

  double number(std::size_t column) const {
    return required(column, text::to_finite(field(column)), "finite number");
  }
  std::int64_t time(std::size_t column) const {
    return required(column, text::to_time(field(column)), "time in whole microseconds");
  }
  [[noreturn]] void fail(const std::string& wrong) const {
    throw Error(fmt::format("{}: {}; correct the line or remove the file", where_, wrong));
  }

 private:
  std::string_view field(std::size_t column) const {
    if (columns_[column] >= fields_.size())
      fail(fmt::format("expected a field for {}, found only {} fields", kColumns[column], fields_.size()));
    return fields_[columns_[column]];
  }

  template <typename Value>
  Value required(std::size_t column, const std::optional<Value>& value, const char* expected) const {
    if (!value)
      fail(fmt::format("expected a {} for {}, found {}", expected, kColumns[column],
                       in_quotes(field(column))));
    return *value;
  }

  std::vector<std::string_view> fields_;
  Columns columns_;
  std::string where_;
};

Increment parse(const Line& line) {
  const Increment increment{
      line.time(4), line.time(3), {line.number(0), line.number(1), wrap_angle(line.number(2))}};
  if (increment.earlier >= increment.later)
    line.fail(fmt::format("expected the source after the destination, found {} and {}", increment.later,
                          increment.earlier));
  const auto& [x, y, yaw] = increment.T_earlier_later;
  if (!(std::hypot(x, y) <= kFarthest))
    line.fail(fmt::format("expected a motion in metres, found {:.3g} and {:.3g}", x, y));
  return increment;
}

// Poses from the first increment to the first break. They pass through scans that are not in the folder.
Poses chain(const std::vector<Increment>& increments, std::vector<std::string>& remarks) {
  Poses poses;
  SE2 T_first_later;
  for (std::size_t i = 0; i < increments.size(); ++i) {
    const Increment& next = increments[i];
    if (i == 0) poses[next.earlier] = {};
    if (i > 0 && next.earlier != increments[i - 1].later) {
      remarks.push_back(fmt::format("ground truth is interrupted after {} and left out from there on",
                                    increments[i - 1].later));
      break;
    }
    T_first_later = T_first_later * next.T_earlier_later;
    poses[next.later] = T_first_later;
  }
  return poses;
}

// The poses of the scans that have one, in the frame of the first of them.
std::vector<std::optional<SE2>> poses_of(const std::vector<ScanFile>& scans, const Poses& poses) {
  std::vector<std::optional<SE2>> found(scans.size());
  std::optional<SE2> T_scan_chain;
  for (std::size_t i = 0; i < scans.size(); ++i) {
    const auto pose = poses.find(scans[i].timestamp_us);
    if (pose == poses.end()) continue;
    if (!T_scan_chain) T_scan_chain = pose->second.inverse();
    found[i] = *T_scan_chain * pose->second;
  }
  return found;
}

}  // namespace

std::vector<Increment> parse_increments(std::string_view contents, const std::filesystem::path& csv) {
  const auto lines = text::lines(contents);
  const Columns columns = find_columns(lines.empty() ? "" : lines[0], csv);
  std::vector<Increment> increments;
  for (std::size_t i = 1; i < lines.size(); ++i)
    increments.push_back(parse(Line(lines[i], columns, fmt::format("{}: line {}", csv.string(), i + 1))));
  return increments;
}

GroundTruth read_ground_truth(const std::filesystem::path& csv, const std::vector<ScanFile>& scans) {
  std::error_code unreadable;
  if (!std::filesystem::exists(csv, unreadable)) return {};
  return parse_ground_truth(read_file(csv), csv, scans);
}

GroundTruth parse_ground_truth(std::string_view contents, const std::filesystem::path& csv,
                               const std::vector<ScanFile>& scans) {
  GroundTruth truth;
  truth.poses = poses_of(scans, chain(parse_increments(contents, csv), truth.remarks));
  const auto with_pose =
      std::count_if(truth.poses.begin(), truth.poses.end(), [](const auto& p) { return p.has_value(); });
  if (static_cast<std::size_t>(with_pose) < scans.size())
    truth.remarks.push_back(fmt::format("ground truth for {} of {} scans", with_pose, scans.size()));
  if (with_pose == 0) truth.poses.clear();
  return truth;
}

}  // namespace fmbym::oxford
