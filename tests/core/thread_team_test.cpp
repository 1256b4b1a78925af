#include "fmbym/core/thread_team.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace fmbym {
namespace {

TEST(ThreadTeam, EveryMemberRunsOncePerRun) {
  for (const int members : {1, 2, 5}) {
    ThreadTeam team(members);
    ASSERT_EQ(team.members(), members);
    std::vector<int> calls(static_cast<std::size_t>(members));  // each member touches its own: no lock needed
    auto work = [&](int member) { ++calls[static_cast<std::size_t>(member)]; };
    for (int run = 1; run <= 1000; ++run) {
      team.run(work);
      // All must be done by now, not only begun.
      ASSERT_EQ(calls, std::vector<int>(static_cast<std::size_t>(members), run));
    }
  }
}

TEST(ThreadTeam, MembersRunOnThreadsOfTheirOwnAndTheCallerIsTheFirst) {
  ThreadTeam team(3);
  std::vector<std::thread::id> ids(3);
  auto work = [&](int member) { ids[static_cast<std::size_t>(member)] = std::this_thread::get_id(); };
  team.run(work);
  EXPECT_EQ(ids[0], std::this_thread::get_id());
  EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), 3u);
}

TEST(ThreadTeam, TakesOtherWorkEveryTime) {
  ThreadTeam team(2);
  std::vector<int> first(2), second(2);
  auto one = [&](int member) { first[static_cast<std::size_t>(member)] = 1; };
  auto two = [&](int member) { second[static_cast<std::size_t>(member)] = 2; };
  team.run(one);
  team.run(two);
  EXPECT_EQ(first, std::vector<int>(2, 1));
  EXPECT_EQ(second, std::vector<int>(2, 2));
}

// Hangs, and so runs into the test's time limit, if a waiting member misses the end.
TEST(ThreadTeam, EndsWithoutEverHavingRun) {
  for (int i = 0; i < 200; ++i) ThreadTeam team(3);
  SUCCEED();
}

TEST(ThreadTeam, EndsRightAfterARun) {
  int total = 0;
  for (int i = 0; i < 200; ++i) {
    ThreadTeam team(3);
    std::vector<int> calls(3);
    auto work = [&](int member) { ++calls[static_cast<std::size_t>(member)]; };
    team.run(work);
    total += calls[0] + calls[1] + calls[2];
  }
  EXPECT_EQ(total, 600);
}

}  // namespace
}  // namespace fmbym
