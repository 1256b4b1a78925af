// Numbers too small for a normal float count as zero on this thread while this lives: arithmetic with them is
// many times slower, and nearly empty scans are full of them.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace fmbym {

class FlushDenormals {
 public:
#if defined(__SSE2__)
  FlushDenormals() : before_(_mm_getcsr()) {
    _mm_setcsr(before_ | kFlushResults | kIgnoreInputs);
  }
  ~FlushDenormals() {
    _mm_setcsr(before_);
  }
#else
  FlushDenormals() {}  // ARM's vector units lose little
  ~FlushDenormals() {}
#endif
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
#if defined(__SSE2__)
  static constexpr unsigned kFlushResults = 0x8000, kIgnoreInputs = 0x0040;
  unsigned before_;
#endif
};

}  // namespace fmbym
