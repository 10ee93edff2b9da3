// The intrinsics of vector instructions, for functions marked SCHEDFARM_AVX512 or SCHEDFARM_AVX2
// (engine/foundation/cpu_dispatch.hpp). Apart, because they take a quarter of a second to compile.
#pragma once

#include "engine/foundation/cpu_dispatch.hpp"

#if SCHEDFARM_CPU_DISPATCH
// GCC 12 warns of its own _mm512_undefined_epi32 (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif
