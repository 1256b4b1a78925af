// A list of steps, each of which is shared by a few threads and done before the next begins.
#pragma once

#include <atomic>
#include <barrier>
#include <deque>
#include <functional>

#include "fmbym/core/thread_team.hpp"
#include "masking/flush_denormals.hpp"

namespace fmbym {

class Steps {
 public:
  using Work = std::function<void(int item, int member)>;

  explicit Steps(int threads) : team_(threads), done_(threads) {}

  int threads() const { return team_.members(); }

  // Calls work for every item from 0 on, in any order, on any member of the team.
  void add(int items, Work work) { steps_.emplace_back(items, std::move(work)); }

  void run() {
    for (Step& step : steps_) step.next.store(0, std::memory_order_relaxed);
    auto work = [this](int member) { run(member); };
    team_.run(work);
  }

 private:
  struct Step {
    Step(int items_, Work work_) : items(items_), work(std::move(work_)) {}
    int items;
    Work work;
    std::atomic<int> next = 0;  // item that nobody has taken
  };

  void run(int member) {
    const FlushDenormals flush;
    for (Step& step : steps_) {
      for (int item; (item = step.next.fetch_add(1, std::memory_order_relaxed)) < step.items;)
        step.work(item, member);
      done_.arrive_and_wait();
    }
  }

  ThreadTeam team_;
  std::barrier<> done_;
  std::deque<Step> steps_;  // its members stay in place
};

}  // namespace fmbym
