#include "fmbym/core/file.hpp"

#include <gtest/gtest.h>

#include "fmbym/core/error.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym {
namespace {

using testing::TemporaryFolder;

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(File, ReadsBackWhatWasWritten) {
  const TemporaryFolder folder;
  const std::string contents("a\0b\n", 4);
  write_file(folder / "file", contents);
  EXPECT_EQ(read_file(folder / "file"), contents);
  write_file(folder / "file", "shorter");
  EXPECT_EQ(read_file(folder / "file"), "shorter");
}

TEST(File, LeavesNothingBesideTheFile) {
  const TemporaryFolder folder;
  write_file(folder / "file", "x");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(File, NamesTheFileAndTheRemedy) {
  const TemporaryFolder folder;
  const auto missing = folder / "no/such/file";
  EXPECT_NE(message_of([&] { read_file(missing); }).find(missing.string()), std::string::npos);
  EXPECT_NE(message_of([&] { write_file(missing, "x"); }).find("check the path"), std::string::npos);
}

TEST(File, FailedWriteKeepsTheOldContents) {
  // /dev/full takes no byte; a folder in the file's place can't be replaced by it.
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  const TemporaryFolder folder;
  write_file(folder / "file", "old");
  std::filesystem::create_symlink("/dev/full", temporary_beside(folder / "file"));
  EXPECT_NE(message_of([&] { write_file(folder / "file", "new"); }).find("free some space"),
            std::string::npos);
  EXPECT_EQ(read_file(folder / "file"), "old");
  EXPECT_FALSE(std::filesystem::exists(temporary_beside(folder / "file")));
}

}  // namespace
}  // namespace fmbym
