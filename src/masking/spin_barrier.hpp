// Where threads wait for each other for a few microseconds, many times in a row. They stay awake for that:
// waking a thread takes longer than most of these waits. Where there are more threads than processors, they
// make way after a while.
#pragma once

#include <hwy/cache_control.h>

#include <atomic>
#include <thread>

namespace fmbym {

class SpinBarrier {
 public:
  explicit SpinBarrier(int members) : members_(members) {}

  void arrive_and_wait() {
    const unsigned round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == members_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    for (int spins = 0; round_.load(std::memory_order_acquire) == round; ++spins)
      if (spins < kPatience)
        hwy::Pause();
      else
        std::this_thread::yield();
  }

 private:
  static constexpr int kPatience = 2000;  // some ten microseconds

  const int members_;
  std::atomic<int> arrived_ = 0;
  std::atomic<unsigned> round_ = 0;
};

}  // namespace fmbym
