// The SHA-256 of files: which model made a result.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace fmbym {

// In 64 hexadecimal digits, as sha256sum prints it.
std::string sha256(std::string_view bytes);

// Throws Error if the file can't be read.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace fmbym
