#include "fmbym/core/thread_team.hpp"

namespace fmbym {

ThreadTeam::ThreadTeam(int members) {
  for (int member = 1; member < members; ++member) threads_.emplace_back([this, member] { serve(member); });
}

ThreadTeam::~ThreadTeam() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadTeam::start(Call call, void* work) {
  {
    const std::lock_guard lock(mutex_);
    call_ = call;
    work_ = work;
    busy_ = static_cast<int>(threads_.size());
    ++round_;
  }
  wake_.notify_all();
}

void ThreadTeam::finish() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
}

void ThreadTeam::serve(int member) {
  std::uint64_t served = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return closing_ || round_ != served; });
    if (closing_) return;
    served = round_;
    const Call call = call_;
    void* const work = work_;
    lock.unlock();
    call(work, member);
    lock.lock();
    if (--busy_ == 0) done_.notify_one();
  }
}

}  // namespace fmbym
