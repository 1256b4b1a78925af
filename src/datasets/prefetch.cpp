#include "fmbym/datasets/prefetch.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "fmbym/core/stopwatch.hpp"

namespace fmbym {
namespace {

// Nothing may leave the decoding thread as an exception, so even running out of memory becomes a result.
std::variant<PolarScan, Error> read(const Dataset& dataset, std::size_t index) {
  try {
    return dataset.read(index);
  } catch (const Error& error) {
    return error;
  } catch (const std::exception& error) {
    return Error(
        fmt::format("scan {}: cannot be read: {}; check the file and the free memory", index, error.what()));
  }
}

FetchedScan fetch(const Dataset& dataset, std::size_t index) {
  Stopwatch stopwatch;
  FetchedScan fetched{index, read(dataset, index)};
  fetched.decode_ms = stopwatch.lap_ms();
  return fetched;
}

}  // namespace

PolarScan& FetchedScan::scan() {
  if (const Error* why = error()) throw *why;
  return std::get<PolarScan>(result);
}

ScanPrefetcher::ScanPrefetcher(const Dataset& dataset, std::vector<std::size_t> indices, std::size_t ahead)
    : dataset_(dataset), indices_(std::move(indices)), ahead_(ahead) {
  if (ahead_ > 0) decoder_ = std::jthread([this](const std::stop_token& stop) { decode_all(stop); });
}

std::optional<FetchedScan> ScanPrefetcher::next() {
  if (taken_ == indices_.size()) return std::nullopt;
  const std::size_t index = indices_[taken_++];
  if (ahead_ == 0) return fetch(dataset_, index);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !waiting_.empty(); });
  FetchedScan fetched = std::move(waiting_.front());
  waiting_.pop_front();
  lock.unlock();
  changed_.notify_all();
  return fetched;
}

void ScanPrefetcher::decode_all(const std::stop_token& stop) {
  for (const std::size_t index : indices_) {
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [this] { return waiting_.size() < ahead_; })) return;
    }
    if (stop.stop_requested()) return;
    FetchedScan fetched = fetch(dataset_, index);
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(fetched));
    changed_.notify_all();
  }
}

}  // namespace fmbym
