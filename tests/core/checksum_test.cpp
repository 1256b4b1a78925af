#include "fmbym/core/checksum.hpp"

#include <gtest/gtest.h>

#include "fmbym/core/file.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym {
namespace {

// The examples of FIPS 180-2, appendix B.
TEST(Checksum, OfTheStandardsExamples) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Checksum, OfAFile) {
  const testing::TemporaryFolder folder;
  write_file(folder / "file", "abc");
  EXPECT_EQ(sha256_of_file(folder / "file"), sha256("abc"));
  testing::expect_message(testing::error_of([&] { sha256_of_file(folder / "none"); }), folder / "none", {});
}

}  // namespace
}  // namespace fmbym
