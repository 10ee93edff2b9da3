// For which processors a function is compiled, and how one of its ways is chosen: here and nowhere
// else. The fastest that the processor runs is chosen when the program is loaded; payloads do not
// depend on it.
//
// - SCHEDFARM_VECTOR_CLONES before a function: one loop over arrays without calls, compiled for
//   every vector width. The same bits: contraction is off (a fused multiply-add would round
//   differently) and lanes are independent. Not for templates.
// - SCHEDFARM_BIT_CLONES: as that, for instructions that count and find bits.
// - SCHEDFARM_AVX512, SCHEDFARM_AVX2 and SCHEDFARM_ANY_PROCESSOR before functions of one name and
//   signature: ways written one by one, the first two between #if SCHEDFARM_CPU_DISPATCH. A call
//   must see all of them, so they are local to a file. What they call inline has the same mark, or
//   none.
//
// Vectors are never wider than the set they are compiled for: GCC would take them apart, some lane
// by lane. In the files that include this one such a vector does not compile.
//
// Tests run every way on one machine: schedfarm_older_processors() in
// cmake/SchedfarmOlderProcessors.cmake.
#pragma once

#include <cstddef>
#include <cstdint>

#if !defined(SCHEDFARM_CPU_DISPATCH)
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SCHEDFARM_CPU_DISPATCH 1
#else
#define SCHEDFARM_CPU_DISPATCH 0
#endif
#endif

#if SCHEDFARM_CPU_DISPATCH

#ifdef __OPTIMIZE__  // else every vector is taken apart
#pragma GCC diagnostic error "-Wvector-operation-performance"
#endif

#define SCHEDFARM_VECTOR_CLONES [[gnu::target_clones("avx512f", "avx2", "default")]]
#define SCHEDFARM_BIT_CLONES [[gnu::target_clones("arch=x86-64-v3", "default")]]
#define SCHEDFARM_AVX512 [[gnu::target("avx512f,popcnt,bmi,bmi2")]]
#define SCHEDFARM_AVX2 [[gnu::target("avx2,popcnt,bmi,bmi2")]]
#define SCHEDFARM_ANY_PROCESSOR [[gnu::target("default")]]

#else

#define SCHEDFARM_VECTOR_CLONES
#define SCHEDFARM_BIT_CLONES
#define SCHEDFARM_ANY_PROCESSOR

#endif

namespace schedfarm::engine {

/// Doubles side by side in a vector of so many bytes, for loops that are written once.
template <std::size_t bytes>
struct Doubles {
    // NOLINTBEGIN(modernize-use-using): GCC 12 would lose the attributes
    typedef double Lanes __attribute__((vector_size(bytes)));
    typedef double Unaligned __attribute__((vector_size(bytes), aligned(8), may_alias));
    typedef std::int64_t Flags __attribute__((vector_size(bytes)));
    // NOLINTEND(modernize-use-using)
    static constexpr std::size_t lanes = bytes / sizeof(double);

    static Unaligned& at(double* place) { return *reinterpret_cast<Unaligned*>(place); }
    static const Unaligned& at(const double* place) {
        return *reinterpret_cast<const Unaligned*>(place);
    }
};

}  // namespace schedfarm::engine
