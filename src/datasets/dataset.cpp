#include "fmbym/datasets/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <system_error>

#include "fmbym/core/error.hpp"
#include "fmbym/datasets/oxford.hpp"

namespace fmbym {
namespace {

namespace fs = std::filesystem;

struct Format {
  std::string_view layout;  // for the message when no format recognises a folder
  bool (*recognises)(const fs::path&);
  std::unique_ptr<Dataset> (*open)(const fs::path&, const CalibrationOverride&);
};

// A new data set is one more line; the first that recognises a folder opens it.
constexpr Format kFormats[] = {
    {"Oxford (radar/<microseconds>.png)", oxford::recognises, oxford::open},
};

std::string known_layouts() {
  std::string layouts;
  for (const Format& format : kFormats)
    layouts += fmt::format("{}{}", layouts.empty() ? "" : ", ", format.layout);
  return layouts;
}

[[noreturn]] void fail(const fs::path& folder, std::string_view found) {
  throw Error(fmt::format(
      "{}: expected a sequence folder in the layout {}, found {}; give the folder that holds radar/",
      folder.string(), known_layouts(), found));
}

}  // namespace

std::unique_ptr<Dataset> open_dataset(const fs::path& folder, const CalibrationOverride& given) {
  std::error_code unreadable;
  if (!fs::exists(folder, unreadable))
    throw Error(
        fmt::format("{}: expected a sequence folder, found nothing; check the path", folder.string()));
  if (!fs::is_directory(folder, unreadable)) fail(folder, "a file");
  for (const Format& format : kFormats)
    if (format.recognises(folder)) return format.open(folder, given);
  fail(folder, "none of its files");
}

std::vector<std::size_t> all_scans(const Dataset& dataset) {
  std::vector<std::size_t> indices(dataset.size());
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

std::vector<std::size_t> time_gaps(const Dataset& dataset) {
  constexpr double widest =
      1.5;  // times the median: a turn is steady to a few percent, a missing scan makes it two
  if (dataset.size() < 2) return {};
  std::vector<std::int64_t> steps;
  for (std::size_t i = 1; i < dataset.size(); ++i)
    steps.push_back(dataset.timestamp_us(i) - dataset.timestamp_us(i - 1));
  auto sorted = steps;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  std::vector<std::size_t> gaps;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (static_cast<double>(steps[i]) > widest * static_cast<double>(*middle)) gaps.push_back(i + 1);
  return gaps;
}

}  // namespace fmbym
