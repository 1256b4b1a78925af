// Files that are either whole or not there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace fmbym {

// The whole file. Throws Error if it can't be read.
std::string read_file(const std::filesystem::path& file);

// Writes beside the file and renames, so that the file is never half-written, and never lost to a failed
// write. Throws Error naming the file when the folder is missing or not writable, or the disk is full.
void write_file(const std::filesystem::path& file, std::string_view contents);

// A name beside `file` to write to before renaming; unique to this process.
std::filesystem::path temporary_beside(const std::filesystem::path& file);

}  // namespace fmbym
