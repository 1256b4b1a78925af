// Decodes the next scans of a sequence while the present one is worked on.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

#include "fmbym/core/error.hpp"
#include "fmbym/core/polar_scan.hpp"
#include "fmbym/datasets/dataset.hpp"

namespace fmbym {

struct FetchedScan {
  std::size_t index = 0;                  // in the data set
  std::variant<PolarScan, Error> result;  // the scan, or why it can't be read
  double decode_ms = 0;                   // wall-clock time of reading and decoding

  // The scan; throws the Error if it could not be read.
  PolarScan& scan();
  // The Error, or null where there is a scan.
  const Error* error() const { return std::get_if<Error>(&result); }
};

class ScanPrefetcher {
 public:
  // Decodes the scans of `indices` in their order in a thread of its own, at most `ahead` of them waiting to
  // be taken. With `ahead` 0 there is no thread: next() decodes. The data set must outlive the prefetcher.
  ScanPrefetcher(const Dataset& dataset, std::vector<std::size_t> indices, std::size_t ahead = 2);
  // Leaves the scans not taken; waits for at most the one being decoded.
  ~ScanPrefetcher() = default;
  ScanPrefetcher(const ScanPrefetcher&) = delete;
  ScanPrefetcher& operator=(const ScanPrefetcher&) = delete;

  // The next scan in order, as soon as it is there; nothing after the last. For one consumer.
  std::optional<FetchedScan> next();

 private:
  void decode_all(const std::stop_token& stop);

  const Dataset& dataset_;
  const std::vector<std::size_t> indices_;
  const std::size_t ahead_;
  std::size_t taken_ = 0;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<FetchedScan> waiting_;
  std::jthread decoder_;  // last: stops and joins before what it uses is gone
};

}  // namespace fmbym
