// A list of steps, each of which is shared by a few threads and done before the next begins.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "fmbym/core/thread_team.hpp"
#include "masking/flush_denormals.hpp"
#include "masking/spin_barrier.hpp"

namespace fmbym {

class Steps {
 public:
  using Work = std::function<void(int item, int member)>;

  explicit Steps(int threads) : team_(threads), done_(threads) {}

  int threads() const { return team_.members(); }

  // Calls work for every item from 0 on. Each thread has its own stretch of them, and helps the others when
  // that is done: with items in the order of the image's rows, a thread finds in its cache what it wrote
  // there in the step before.
  void add(int items, Work work) { steps_.emplace_back(items, threads(), std::move(work)); }

  void run() {
    for (Step& step : steps_) step.restart();
    auto work = [this](int member) { run(member); };
    team_.run(work);
  }

 private:
  struct alignas(64) Stretch {  // of items, on a cache line of its own
    int begin = 0, end = 0;
    std::atomic<int> next = 0;  // that nobody has taken
  };

  struct Step {
    Step(int items, int threads, Work work_)
        : work(std::move(work_)), stretches(static_cast<std::size_t>(threads)) {
      for (int i = 0; i < threads; ++i) {
        Stretch& stretch = stretches[static_cast<std::size_t>(i)];
        stretch.begin = items * i / threads;
        stretch.end = items * (i + 1) / threads;
      }
    }
    void restart() {
      for (Stretch& stretch : stretches) stretch.next.store(stretch.begin, std::memory_order_relaxed);
    }
    void run(int member) {
      for (std::size_t i = 0; i < stretches.size(); ++i) {
        Stretch& stretch = stretches[(static_cast<std::size_t>(member) + i) % stretches.size()];
        for (int item; (item = stretch.next.fetch_add(1, std::memory_order_relaxed)) < stretch.end;)
          work(item, member);
      }
    }

    Work work;
    std::vector<Stretch> stretches;  // one a thread
  };

  void run(int member) {
    const FlushDenormals flush;
    for (Step& step : steps_) {
      step.run(member);
      done_.arrive_and_wait();
    }
  }

  ThreadTeam team_;
  SpinBarrier done_;
  std::deque<Step> steps_;  // its members stay in place
};

}  // namespace fmbym
