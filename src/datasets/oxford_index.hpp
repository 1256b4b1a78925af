// Which scans a sequence folder has.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fmbym::oxford {

struct ScanFile {
  std::int64_t timestamp_us = 0;
  std::filesystem::path file;
};

struct ScanIndex {
  std::vector<ScanFile> scans;       // in order of time, each of them there; at least one
  std::vector<std::string> remarks;  // on scans left out
};

// The scans listed in radar.timestamps, or all in radar/ without that file. Throws Error if there are none,
// or if the list makes no sense.
ScanIndex index_scans(const std::filesystem::path& folder);

}  // namespace fmbym::oxford
