#include "fmbym/datasets/dataset.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/oxford_writer.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym {
namespace {

using testing::error_of;
using testing::expect_message;
using testing::kScanPeriod_us;
using testing::kScanStart_us;
using testing::OxfordSequence;
using testing::TemporaryFolder;
using testing::write_oxford_sequence;
using Indices = std::vector<std::size_t>;

std::int64_t time_of(int scan) {
  return kScanStart_us + scan * kScanPeriod_us;
}

TEST(OpenDataset, RecognisesTheOxfordLayout) {
  const TemporaryFolder folder;
  write_oxford_sequence(folder.path(), 2);
  const auto dataset = open_dataset(folder.path(), {{}, 1.5, {}});
  EXPECT_EQ(dataset->format(), "oxford");
  EXPECT_EQ(dataset->size(), 2u);
  EXPECT_EQ(dataset->read(0).range_offset, 1.5);
}

TEST(OpenDataset, SaysWhatItExpects) {
  const TemporaryFolder folder;
  expect_message(error_of([&] { open_dataset(folder / "nowhere"); }), folder / "nowhere",
                 {"found nothing", "check the path"});
  expect_message(
      error_of([&] { open_dataset(folder.path()); }), folder.path(),
      {"Oxford (radar/<microseconds>.png)", "found none of its files", "give the folder that holds radar/"});
  write_file(folder / "file", "");
  expect_message(error_of([&] { open_dataset(folder / "file"); }), folder / "file", {"found a file"});
  write_file(folder / "radar.timestamps", "5 1\n");
  expect_message(error_of([&] { open_dataset(folder.path()); }), folder.path(), {"expected a folder radar/"});
}

TEST(TimeGaps, AreWhereScansAreMissing) {
  const TemporaryFolder folder;
  const auto written = write_oxford_sequence(folder.path(), 9);
  EXPECT_EQ(time_gaps(*open_dataset(folder.path())), Indices{});
  std::filesystem::remove(written.file(time_of(2)));
  std::filesystem::remove(written.file(time_of(6)));
  std::filesystem::remove(written.file(time_of(7)));
  EXPECT_EQ(time_gaps(*open_dataset(folder.path())), (Indices{2, 5}));  // scans 3 and 8 of the nine
}

TEST(TimeGaps, UnsteadyTurnsAreNone) {
  const TemporaryFolder folder;
  const OxfordSequence sequence(folder.path());
  for (const std::int64_t time :
       {0, 250'000, 510'000, 740'000, 1'090'000})  // the last step is 1.4 of the median
    sequence.write_scan(time, testing::make_oxford_scan(time));
  EXPECT_EQ(time_gaps(*open_dataset(folder.path())), Indices{});
}

TEST(TimeGaps, OneOrTwoScansHaveNone) {
  const TemporaryFolder folder;
  for (const int scans : {1, 2}) {
    write_oxford_sequence(folder.path(), scans);
    EXPECT_EQ(time_gaps(*open_dataset(folder.path())), Indices{});
  }
}

}  // namespace
}  // namespace fmbym
