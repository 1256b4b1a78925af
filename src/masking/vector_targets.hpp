// Instruction sets that the vector code is not compiled for. Include before Highway.
#pragma once

// Too close to another to be worth its build time; vectors whose length the compiler does not know.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
