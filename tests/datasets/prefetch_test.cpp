#include "fmbym/datasets/prefetch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <new>

#include "support/real_data.hpp"

namespace fmbym {
namespace {

using Indices = std::vector<std::size_t>;

// Scans that are only a timestamp, and a count of how many were read.
class CountingDataset : public Dataset {
 public:
  explicit CountingDataset(std::size_t size) : size_(size) {}

  std::string format() const override { return "counting"; }
  std::size_t size() const override { return size_; }
  std::int64_t timestamp_us(std::size_t index) const override {
    return static_cast<std::int64_t>(100 * index);
  }
  std::filesystem::path file(std::size_t index) const override { return std::to_string(index); }
  const SensorCalibration& calibration() const override { return calibration_; }
  const std::vector<std::optional<SE2>>& ground_truth() const override { return ground_truth_; }
  const std::vector<std::string>& remarks() const override { return remarks_; }

  PolarScan read(std::size_t index) const override {
    ++reads;
    if (index == unreadable) throw Error("scan is damaged");
    if (index == too_large) throw std::bad_alloc();
    PolarScan scan;
    scan.timestamp_us = timestamp_us(index);
    return scan;
  }

  mutable std::atomic<std::size_t> reads = 0;
  std::size_t unreadable = static_cast<std::size_t>(-1);
  std::size_t too_large = static_cast<std::size_t>(-1);

 private:
  std::size_t size_;
  SensorCalibration calibration_;
  std::vector<std::optional<SE2>> ground_truth_;
  std::vector<std::string> remarks_;
};

// The number of scans decoded ahead; 0 is without a thread.
class Prefetch : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Ahead, Prefetch, ::testing::Values(0, 1, 2, 100));

TEST_P(Prefetch, GivesEveryScanInOrder) {
  const CountingDataset dataset(50);
  ScanPrefetcher scans(dataset, all_scans(dataset), GetParam());
  for (std::size_t i = 0; i < 50; ++i) {
    auto fetched = scans.next();
    ASSERT_TRUE(fetched);
    EXPECT_EQ(fetched->index, i);
    EXPECT_EQ(fetched->error(), nullptr);
    EXPECT_EQ(fetched->scan().timestamp_us, dataset.timestamp_us(i));
    EXPECT_GE(fetched->decode_ms, 0);
  }
  EXPECT_FALSE(scans.next());
  EXPECT_FALSE(scans.next());
}

TEST_P(Prefetch, FollowsTheIndicesItIsGiven) {
  const CountingDataset dataset(10);
  const Indices wanted = {7, 3, 3, 9};
  ScanPrefetcher scans(dataset, wanted, GetParam());
  for (const std::size_t index : wanted)
    EXPECT_EQ(scans.next()->scan().timestamp_us, dataset.timestamp_us(index));
  EXPECT_FALSE(scans.next());
  EXPECT_EQ(dataset.reads, wanted.size());
}

TEST_P(Prefetch, OfNothingIsNothing) {
  const CountingDataset dataset(3);
  EXPECT_FALSE(ScanPrefetcher(dataset, {}, GetParam()).next());
}

TEST_P(Prefetch, GoesOnAfterAScanThatCannotBeRead) {
  CountingDataset dataset(5);
  dataset.unreadable = 2;
  dataset.too_large = 3;
  ScanPrefetcher scans(dataset, all_scans(dataset), GetParam());
  for (std::size_t i = 0; i < 5; ++i) {
    auto fetched = scans.next();
    ASSERT_TRUE(fetched);
    EXPECT_EQ(fetched->index, i);
    EXPECT_EQ(fetched->error() != nullptr, i == 2 || i == 3);
    if (i == 2) {
      EXPECT_STREQ(fetched->error()->what(), "scan is damaged");
    }
    if (i == 3) {
      EXPECT_THROW(fetched->scan(), Error);
    }
  }
  EXPECT_FALSE(scans.next());
}

TEST_P(Prefetch, MayBeLeftAtAnyTime) {
  for (std::size_t taken = 0; taken < 5; ++taken) {
    const CountingDataset dataset(1000);
    {
      ScanPrefetcher scans(dataset, all_scans(dataset), GetParam());
      for (std::size_t i = 0; i < taken; ++i) EXPECT_EQ(scans.next()->index, i);
    }
    EXPECT_LE(dataset.reads, taken + GetParam()) << "more than the bound were decoded";
  }
}

TEST(PrefetchWithoutThread, ReadsOnlyWhatIsAskedFor) {
  const CountingDataset dataset(10);
  ScanPrefetcher scans(dataset, all_scans(dataset), 0);
  EXPECT_EQ(dataset.reads, 0u);
  scans.next();
  EXPECT_EQ(dataset.reads, 1u);
}

TEST(PrefetchRealScans, GivesTheScansOfTheDataset) {
  FMBYM_NEEDS_REAL_DATA("oxford-tiny");
  const auto dataset = open_dataset(testing::real_data("oxford-tiny"));
  ScanPrefetcher scans(*dataset, all_scans(*dataset));
  while (auto fetched = scans.next()) EXPECT_EQ(fetched->scan().power, dataset->read(fetched->index).power);
}

}  // namespace
}  // namespace fmbym
