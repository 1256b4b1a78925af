#include "datasets/oxford_index.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <system_error>

#include "core/in_quotes.hpp"
#include "datasets/text.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"

namespace fmbym::oxford {
namespace {

namespace fs = std::filesystem;
using FilesByTime = std::map<std::int64_t, fs::path>;

struct Listed {
  std::int64_t timestamp_us = 0;
  bool valid = false;
};

void require_radar_folder(const fs::path& folder) {
  std::error_code unreadable;
  if (!fs::exists(folder, unreadable))
    throw Error(
        fmt::format("{}: expected a sequence folder, found nothing; check the path", folder.string()));
  if (!fs::is_directory(folder, unreadable))
    throw Error(fmt::format("{}: expected a sequence folder, found a file; give the folder that holds radar/",
                            folder.string()));
  if (!fs::is_directory(folder / "radar", unreadable))
    throw Error(fmt::format(
        "{}: expected a folder radar/ with the scans, found none; give the folder that holds radar/",
        folder.string()));
}

FilesByTime files_in(const fs::path& radar) {
  FilesByTime files;
  std::error_code error;
  for (fs::directory_iterator entry(radar, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() != ".png") continue;
    if (const auto time = text::to_time(entry->path().stem().string())) files.emplace(*time, entry->path());
  }
  if (error)
    throw Error(fmt::format("{}: cannot list the folder: {}; check the permissions", radar.string(),
                            error.message()));
  return files;
}

Listed parse(std::string_view line, const std::string& where) {
  const auto fields = text::split(line, ' ');
  const auto time = text::to_time(fields[0]);
  const bool sound = fields.size() == 2 && time && (fields[1] == "0" || fields[1] == "1");
  if (!sound)
    throw Error(fmt::format("{}: expected \"<microseconds> <0 or 1>\", found {}; correct or remove the line",
                            where, in_quotes(line)));
  return {*time, fields[1] == "1"};
}

std::vector<Listed> read_list(const fs::path& file) {
  const std::string contents = read_file(file);
  std::vector<Listed> list;
  for (const std::string_view line : text::lines(contents)) {
    const std::string where = fmt::format("{}: line {}", file.string(), list.size() + 1);
    const Listed next = parse(line, where);
    if (!list.empty() && next.timestamp_us <= list.back().timestamp_us)
      throw Error(fmt::format("{}: expected a time after {}, found {}; sort the lines and remove doubles",
                              where, list.back().timestamp_us, next.timestamp_us));
    list.push_back(next);
  }
  return list;
}

// "3 scans listed in radar.timestamps are missing, first 1547131046353776"; nothing where there are none.
void remark(std::vector<std::string>& remarks, const std::vector<std::int64_t>& scans, const char* where,
            const char* what) {
  if (scans.empty()) return;
  const bool one = scans.size() == 1;
  remarks.push_back(fmt::format("{} {} {} {} {}, first {}", scans.size(), one ? "scan" : "scans", where,
                                one ? "is" : "are", what, scans.front()));
}

ScanIndex listed_scans(const std::vector<Listed>& list, FilesByTime files) {
  ScanIndex index;
  std::vector<std::int64_t> missing, invalid, unlisted;
  for (const Listed& listed : list) {
    auto file = files.extract(listed.timestamp_us);
    if (!listed.valid)
      invalid.push_back(listed.timestamp_us);
    else if (file.empty())
      missing.push_back(listed.timestamp_us);
    else
      index.scans.push_back({listed.timestamp_us, std::move(file.mapped())});
  }
  for (const auto& [time, file] : files) unlisted.push_back(time);
  remark(index.remarks, missing, "listed in radar.timestamps", "missing");
  remark(index.remarks, invalid, "listed in radar.timestamps", "marked invalid and left out");
  remark(index.remarks, unlisted, "in radar/", "not listed in radar.timestamps and left out");
  return index;
}

ScanIndex all_scans(const FilesByTime& files) {
  ScanIndex index;
  for (const auto& [time, file] : files) index.scans.push_back({time, file});
  return index;
}

}  // namespace

ScanIndex index_scans(const fs::path& folder) {
  require_radar_folder(folder);
  const FilesByTime files = files_in(folder / "radar");
  if (files.empty())
    throw Error(fmt::format(
        "{}: expected scans named <microseconds>.png, found none; check that the data are unpacked",
        (folder / "radar").string()));
  const fs::path list = folder / "radar.timestamps";
  std::error_code unreadable;
  ScanIndex index = fs::exists(list, unreadable) ? listed_scans(read_list(list), files) : all_scans(files);
  if (index.scans.empty())
    throw Error(
        fmt::format("{}: expected valid scans that are in radar/, found none; correct or remove the file",
                    list.string()));
  return index;
}

}  // namespace fmbym::oxford
