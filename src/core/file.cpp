#include "fmbym/core/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "fmbym/core/error.hpp"

namespace fmbym {
namespace {

struct CloseFile {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using FilePtr = std::unique_ptr<std::FILE, CloseFile>;

std::string remedy(int error) {
  switch (error) {
    case ENOENT:
      return "check the path";
    case ENOSPC:
    case EDQUOT:
      return "free some space or write elsewhere";
    case EACCES:
    case EPERM:
    case EROFS:
      return "check the permissions or choose another place";
    case EISDIR:
      return "give a file, not a folder";
    default:
      return "check the path and the disk";
  }
}

[[noreturn]] void fail(const std::filesystem::path& file, const char* action, int error) {
  throw Error(
      fmt::format("{}: cannot {}: {}; {}", file.string(), action, std::strerror(error), remedy(error)));
}

// Contents and metadata are on the disk when this returns true.
bool write_all(const std::filesystem::path& file, std::string_view contents) {
  FilePtr out(std::fopen(file.c_str(), "wb"));
  if (!out) return false;
  if (std::fwrite(contents.data(), 1, contents.size(), out.get()) != contents.size()) return false;
  if (std::fflush(out.get()) != 0 || ::fsync(::fileno(out.get())) != 0) return false;
  return std::fclose(out.release()) == 0;
}

}  // namespace

std::string read_file(const std::filesystem::path& file) {
  FilePtr in(std::fopen(file.c_str(), "rb"));
  if (!in) fail(file, "read", errno);
  std::string contents;
  std::error_code unknown_size;
  if (const auto size = std::filesystem::file_size(file, unknown_size); !unknown_size) contents.reserve(size);
  char block[1 << 16];
  while (const std::size_t n = std::fread(block, 1, sizeof block, in.get())) contents.append(block, n);
  if (std::ferror(in.get())) fail(file, "read", errno);
  return contents;
}

std::filesystem::path temporary_beside(const std::filesystem::path& file) {
  auto temporary = file;
  temporary += fmt::format(".part{}", ::getpid());
  return temporary;
}

void write_file(const std::filesystem::path& file, std::string_view contents) {
  const auto temporary = temporary_beside(file);
  if (write_all(temporary, contents) && std::rename(temporary.c_str(), file.c_str()) == 0) return;
  const int error = errno;
  std::remove(temporary.c_str());
  fail(file, "write", error);
}

}  // namespace fmbym
