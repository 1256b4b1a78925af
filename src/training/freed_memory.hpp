// Training frees and takes the same hundreds of megabytes at every step. Given back to the system in between,
// every page would have to be fetched and cleared again: a tenth of the time.
#pragma once

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace fmbym::training {

// To be called once, before the first thread starts.
inline void keep_freed_memory() {
#if defined(__GLIBC__)
  mallopt(M_ARENA_MAX, 1);              // the others give back what they can
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest that is allowed [bytes]
  mallopt(M_TRIM_THRESHOLD, 1 << 30);   // [bytes]
#endif
}

}  // namespace fmbym::training
