// Counts the allocations of a match and of a scan, in an executable of its own because it stands between
// everybody and the C library's allocator. FFTW's own temporary buffers are told apart by who called.
#include <gtest/gtest.h>

#include "fmbym/odometry/odometry.hpp"
#include "support/synthetic_world.hpp"

#if defined(__GLIBC__) && !defined(FMBYM_SANITIZED)

#include <link.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace {

std::atomic<bool> counting{false};
std::atomic<int> ours{0}, fftws{0};
std::uintptr_t fftw_begin = 0, fftw_end = 0;  // where FFTW's code lies

void count(void* caller) {
  if (!counting.load(std::memory_order_relaxed)) return;
  const auto address = reinterpret_cast<std::uintptr_t>(caller);
  ++(address >= fftw_begin && address < fftw_end ? fftws : ours);
}

int find_fftw(dl_phdr_info* library, std::size_t, void*) {
  if (!std::strstr(library->dlpi_name, "libfftw3f")) return 0;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const auto& segment = library->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X)) continue;
    fftw_begin = library->dlpi_addr + segment.p_vaddr;
    fftw_end = fftw_begin + segment.p_memsz;
  }
  return 0;
}

}  // namespace

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);

void* malloc(std::size_t size) {
  count(__builtin_return_address(0));
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
  count(__builtin_return_address(0));
  return __libc_calloc(number, size);
}
void* realloc(void* memory, std::size_t size) {
  count(__builtin_return_address(0));
  return __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  count(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  count(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  count(__builtin_return_address(0));
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
void free(void* memory) {
  __libc_free(memory);
}
}

namespace fmbym {
namespace {

using testing::SyntheticWorld;

struct Allocations {
  int ours, fftws;
};

Allocations allocations_of(const auto& action) {
  dl_iterate_phdr(find_fftw, nullptr);
  ours = fftws = 0;
  counting = true;
  action();
  counting = false;
  return {ours, fftws};
}

struct Case {
  Method method;
  Preset preset;
  int size, threads;
};
const Case kCases[] = {
    {Method::f_raw, Preset::paper, 127, 1},     {Method::f_raw, Preset::standard, 127, 1},
    {Method::f_raw, Preset::paper, 255, 1},     {Method::f_raw, Preset::standard, 255, 1},
    {Method::raw, Preset::paper, 127, 1},       {Method::raw, Preset::standard, 127, 2},
    {Method::raw, Preset::standard, 255, 1},    {Method::raw, Preset::paper, 255, 2},
    {Method::f_raw, Preset::standard, 511, 1},  {Method::f_raw, Preset::paper, 511, 1},
    {Method::f_mbym, Preset::paper, 127, 1},    {Method::f_mbym, Preset::standard, 127, 2},
    {Method::f_mbym, Preset::standard, 255, 1}, {Method::mbym, Preset::paper, 127, 2},
    {Method::mbym, Preset::standard, 127, 1},
};

OdometryConfig config_of(const Case& c) {
  OdometryConfig config = make_config(c.method, c.preset, c.size);
  config.threads = c.threads;
  if (uses_masks(c.method)) config.model = std::make_shared<MaskModel>(random_model(1, c.size));
  return config;
}

std::string name_of(const Case& c) {
  return to_string(c.method) + " " + to_string(c.preset) + " " + std::to_string(c.size);
}

TEST(Allocations, AreCounted) {
  std::unique_ptr<int> number;  // outside, lest the compiler leaves it out
  EXPECT_EQ(allocations_of([&] { number = std::make_unique<int>(1); }).ours, 1);
  EXPECT_EQ(allocations_of([] { free(calloc(3, 5)); }).ours, 1);
  EXPECT_EQ(allocations_of([] {
              ::operator delete (::operator new (64, std::align_val_t{64}), std::align_val_t{64});
            }).ours,
            1);
  EXPECT_EQ(allocations_of([] { std::vector<float>(1000); }).ours, 1);
  EXPECT_EQ(allocations_of([] {}).ours, 0);
}

TEST(Allocations, NoneForAMatchAfterTheFirst) {
  const SyntheticWorld world = SyntheticWorld::make();
  for (const Case& c : kCases) {
    const OdometryConfig config = config_of(c);
    const auto matcher = make_matcher(config);
    const Image current = world.image({2, 0.1, 0.05}, c.size, config.imaging.metres_per_pixel);
    const Image previous = world.image({}, c.size, config.imaging.metres_per_pixel);
    matcher->match(current, previous);
    Match match;
    const Allocations counted = allocations_of([&] { match = matcher->match(current, previous); });
    EXPECT_TRUE(match.reliable) << name_of(c);  // it did the work
    EXPECT_EQ(counted.ours, 0) << name_of(c);
  }
}

// FFTW allocates in some of its plans: in-place columns of many sizes, and prime lengths.
TEST(Allocations, NoneByFftwEither) {
  const SyntheticWorld world = SyntheticWorld::make();
  for (const Case& c : kCases) {
    const OdometryConfig config = config_of(c);
    const auto matcher = make_matcher(config);
    const Image image = world.image({}, c.size, config.imaging.metres_per_pixel);
    matcher->match(image, image);
    EXPECT_EQ(allocations_of([&] { matcher->match(image, image); }).fftws, 0) << name_of(c);
  }
}

TEST(Allocations, NoneForAScanAfterTheSecond) {
  const SyntheticWorld world = SyntheticWorld::make();
  const PolarScan scans[] = {world.scan({}), world.scan({2, 0.1, 0.05}), world.scan({4, 0.3, 0.08})};
  for (const Case& c : kCases) {
    Odometry odometry(config_of(c));
    odometry.register_scan(scans[0]);
    odometry.register_scan(scans[1]);
    Registration registration;
    const Allocations counted = allocations_of([&] { registration = odometry.register_scan(scans[2]); });
    EXPECT_TRUE(registration.match.reliable) << name_of(c);
    EXPECT_EQ(counted.ours, 0) << name_of(c);
  }
}

}  // namespace
}  // namespace fmbym

#else

TEST(Allocations, NoneForAScanAfterTheSecond) {
  GTEST_SKIP() << "needs glibc's allocator to itself: no sanitizer, no other C library";
}

#endif
