// Counts what imaging allocates, in an executable of its own because it replaces operator new.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#include "fmbym/imaging/cartesian_imager.hpp"
#include "fmbym/imaging/plain_mask.hpp"
#include "support/synthetic_world.hpp"

namespace {
int allocations = 0;
}

// Not inlined: the compiler would see malloc here and operator delete there, and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace fmbym {
namespace {

using testing::SyntheticWorld;

int allocations_of(const auto& action) {
  const int before = allocations;
  action();
  return allocations - before;
}

TEST(ImagingAllocations, AreCounted) {
  std::unique_ptr<int> number;  // outside, lest the compiler leaves it out
  EXPECT_EQ(allocations_of([&] { number = std::make_unique<int>(1); }), 1);
  EXPECT_EQ(allocations_of([] {}), 0);
}

TEST(ImagingAllocations, NoneFromTheSecondScanOn) {
  const SyntheticWorld world = SyntheticWorld::make();
  const PolarScan scans[] = {world.scan({}), world.scan({2, 0.1, 0.05}, {.first_azimuth = 0.1})};
  CartesianImager imager(imaging_for_resolution(255));
  PlainMask mask(PlainMaskConfig{});
  Image image;
  const auto process = [&](const PolarScan& scan) {
    image = imager.form(scan, std::move(image));
    imager.load(scan);
    mask.apply(imager.profile());
    image = imager.form(Twist2{10, 0.1, 0.2}, std::move(image));
  };
  EXPECT_GT(allocations_of([&] { process(scans[0]); }), 0);
  EXPECT_EQ(allocations_of([&] { process(scans[1]); }), 0);
}

}  // namespace
}  // namespace fmbym
