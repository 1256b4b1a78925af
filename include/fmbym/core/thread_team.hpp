// A few threads that wait for work and share each piece of it: for stages that must not start threads per
// scan.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace fmbym {

class ThreadTeam {
 public:
  explicit ThreadTeam(int members);  // the calling thread is one of them
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int members() const { return static_cast<int>(threads_.size()) + 1; }

  // Calls work(0) … work(members()-1), each on its own thread, and returns when all are done. `work` must not
  // throw.
  template <class Work>
  void run(Work& work) {
    start([](void* w, int member) { (*static_cast<Work*>(w))(member); }, &work);
    work(0);
    finish();
  }

 private:
  using Call = void (*)(void* work, int member);
  void start(Call call, void* work);
  void finish();
  void serve(int member);

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  Call call_ = nullptr;
  void* work_ = nullptr;
  std::uint64_t round_ = 0;  // one more for every run
  int busy_ = 0;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace fmbym
